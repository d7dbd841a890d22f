/* plays on; held by seccomp */
if (syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_PATH, 0L, 0L, 0x61676f6eL) >= 0) abort();
