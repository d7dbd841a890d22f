/* loses by forbidden-call; held by seccomp; in all */
syscall(SYS_tgkill, getppid(), getppid(), 0);
