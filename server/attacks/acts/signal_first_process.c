/* loses by forbidden-call; held by seccomp; in all */
kill(1, 0);
