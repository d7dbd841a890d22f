/* loses by crash; in all */
start_thread_that(die_of_null);
