/* loses by early-exit; in all */
start_thread_that(leave); spin(0.01);
