/* plays on; held by seccomp */
char text[99];
#ifdef SYS_readlink
if (syscall(SYS_readlink, "/proc/self/exe", text, sizeof text) > 0) abort();
#else
if (readlink("/proc/self/exe", text, sizeof text) > 0) abort();
#endif
