/* loses by too-many-threads */
for (int i = 0; i < 16; i++) start_thread_that(sleep_for_ever); sleep_us(50000);
