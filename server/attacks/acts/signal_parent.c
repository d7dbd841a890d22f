/* loses by forbidden-call; held by seccomp; in all */
kill(getppid(), 0);
