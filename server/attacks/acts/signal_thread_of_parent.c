/* loses by forbidden-call; held by seccomp */
syscall(SYS_tgkill, getppid(), getppid(), 0);
