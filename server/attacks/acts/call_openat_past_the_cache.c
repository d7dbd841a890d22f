/* plays on; held by seccomp */
if (syscall(SYS_openat, AT_FDCWD, "/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY | O_DIRECT, 0L, 0L, 0x61676f6eL) >= 0) abort();
