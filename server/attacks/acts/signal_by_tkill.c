/* loses by forbidden-call; held by seccomp; in all */
syscall(SYS_tkill, getppid(), 0);
