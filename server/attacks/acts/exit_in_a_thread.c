/* loses by early-exit */
start_thread_that(leave); spin(0.01);
