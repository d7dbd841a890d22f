/* loses by forbidden-call; held by seccomp landlock */
if (kill(getppid(), 0) == 0) abort();
