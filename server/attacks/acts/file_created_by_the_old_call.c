/* is told denied-file; held by landlock */
#ifdef SYS_creat
if (syscall(SYS_creat, "/tmp/agon-left-behind", 0600) >= 0) abort();
#else
if (creat("/tmp/agon-left-behind", 0600) >= 0) abort();
#endif
