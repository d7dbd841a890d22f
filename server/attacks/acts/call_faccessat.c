/* plays on; held by seccomp */
if (syscall(SYS_faccessat, AT_FDCWD, "/proc/1", F_OK) == 0) abort();
