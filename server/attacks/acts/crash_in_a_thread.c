/* loses by crash */
start_thread_that(die_of_null);
