/* plays on; held by seccomp */
struct timespec time; if (clock_gettime((~(clockid_t)getppid() << 3) | 2, &time) == 0) abort();
