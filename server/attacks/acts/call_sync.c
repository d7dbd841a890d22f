/* plays on; held by seccomp */
if (syscall(SYS_sync) == 0 || errno != EPERM) abort();
