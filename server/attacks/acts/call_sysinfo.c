/* plays on; held by seccomp */
long told[16] = {0}; if (syscall(SYS_sysinfo, told) == 0 && told[0] != 0) abort(); /* how long the machine runs */
