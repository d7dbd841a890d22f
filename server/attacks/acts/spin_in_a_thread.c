/* loses by cpu-time */
start_thread_that(spin_for_ever); for (volatile int on = 1; on;) {}
