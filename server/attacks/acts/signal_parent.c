/* loses by forbidden-call; held by seccomp */
kill(getppid(), 0);
