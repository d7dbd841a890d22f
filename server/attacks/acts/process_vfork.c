/* loses by forbidden-call; held by seccomp; in load initialize name play */
if (syscall(SYS_vfork) == 0) _exit(0);
