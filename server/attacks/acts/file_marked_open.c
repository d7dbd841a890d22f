/* plays on; held by landlock */
if (syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0L, 0L, 0x61676f6eL) >= 0) abort();
