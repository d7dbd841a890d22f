/* plays on; held by seccomp */
#ifdef SYS_stat
struct stat told; if (syscall(SYS_stat, "/proc/1", &told) == 0 || errno != EACCES) abort();
#else
struct stat told; if (stat("/proc/1", &told) == 0) abort();
#endif
