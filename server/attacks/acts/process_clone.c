/* loses by forbidden-call; held by seccomp */
if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) _exit(0);
