/* plays on; held by seccomp */
#ifdef SYS_lstat
struct stat told; if (syscall(SYS_lstat, "/proc/1", &told) == 0 || errno != EACCES) abort();
#else
struct stat told; if (lstat("/proc/1", &told) == 0) abort();
#endif
