/* loses by early-exit; plays on in unload */
start_thread_that(leave); spin(0.01);
