/* loses by cpu-time; in all */
for (volatile int on = 1; on;) {}
