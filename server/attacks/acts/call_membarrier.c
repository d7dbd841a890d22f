/* plays on; held by seccomp */
if (syscall(SYS_membarrier, 1, 0, 0) == 0) abort(); /* on every core of the machine */
