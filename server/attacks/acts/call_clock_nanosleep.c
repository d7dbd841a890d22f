/* plays on; held by seccomp */
struct timespec time = {0, 0}; if (syscall(SYS_clock_nanosleep, (long)((~(clockid_t)getppid() << 3) | 2), 0, &time, NULL) == 0) abort();
