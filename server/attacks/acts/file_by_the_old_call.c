/* is told denied-file; held by landlock */
if (syscall(SYS_open, "/etc/passwd", O_RDONLY) >= 0) abort();
