/* loses by forbidden-call; held by seccomp */
kill(-1, 0);
