/* loses by cpu-time */
block_signals(); for (volatile int on = 1; on;) {}
