/* loses by forbidden-call; held by seccomp; in load initialize name play */
if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) == 0) _exit(0);
