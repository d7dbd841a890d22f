/* loses by cpu-time */
for (;;) getppid();
