/* plays on; held by seccomp */
if (syscall(SYS_sched_getscheduler, getppid()) >= 0) abort();
