/* loses by early-exit; in load initialize name play */
atexit(flood); exit(0);
