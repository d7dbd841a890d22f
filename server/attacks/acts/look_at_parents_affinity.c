/* plays on; held by seccomp; in all */
char set[128]; if (syscall(SYS_sched_getaffinity, getppid(), sizeof set, set) > 0) abort();
