/* loses by early-exit; plays on in unload */
join_thread_that(leave);
