/* loses by cpu-time */
for (volatile int on = 1; on;) {}
