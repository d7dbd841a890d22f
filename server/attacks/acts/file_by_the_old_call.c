/* is told denied-file; held by landlock */
#ifndef SYS_open
#define SYS_open SYS_openat, AT_FDCWD
#endif
if (syscall(SYS_open, "/etc/passwd", O_RDONLY) >= 0) abort();
