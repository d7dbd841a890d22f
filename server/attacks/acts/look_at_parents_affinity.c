/* plays on; held by seccomp */
char set[128]; if (syscall(SYS_sched_getaffinity, getppid(), sizeof set, set) > 0) abort();
