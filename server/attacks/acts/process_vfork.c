/* loses by forbidden-call; held by seccomp */
if (vfork() == 0) _exit(0);
