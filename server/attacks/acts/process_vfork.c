/* loses by forbidden-call; held by seccomp */
if (syscall(SYS_vfork) == 0) _exit(0);
