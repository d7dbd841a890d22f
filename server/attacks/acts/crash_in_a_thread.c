/* loses by crash */
join_thread_that(die_of_null);
