/* plays on; held by seccomp */
struct stat told; if (syscall(SYS_newfstatat, AT_FDCWD, "/proc/1", &told, 0) == 0) abort();
