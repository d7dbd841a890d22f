/* loses by early-exit */
atexit(flood); exit(0);
