/* plays on; held by seccomp */
if (syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_PATH, 0, 0, 0x61676f6e) >= 0) abort();
