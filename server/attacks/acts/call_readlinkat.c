/* plays on; held by seccomp */
char text[99]; if (syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", text, sizeof text) > 0) abort();
