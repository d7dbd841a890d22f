/* plays on; held by seccomp */
struct timespec time; if (syscall(SYS_clock_getres, (long)((~(clockid_t)getppid() << 3) | 2), &time) == 0) abort();
