/* plays on */
for (int i = 0; i < 3; i++) start_thread_that(sleep_for_ever);
