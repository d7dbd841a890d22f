/* plays on; held by seccomp */
#ifdef SYS_access
if (syscall(SYS_access, "/proc/1", F_OK) == 0) abort();
#else
if (access("/proc/1", F_OK) == 0) abort();
#endif
