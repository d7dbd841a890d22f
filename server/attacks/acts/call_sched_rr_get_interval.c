/* plays on; held by seccomp */
struct timespec time; if (syscall(SYS_sched_rr_get_interval, getppid(), &time) == 0) abort();
