/* loses by out-of-memory */
start_thread_that(fill_in_thread); sleep_us(2000000);
