/* plays on; held by seccomp */
int parameter; if (syscall(SYS_sched_getparam, getppid(), &parameter) == 0) abort();
