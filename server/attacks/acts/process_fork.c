/* loses by forbidden-call; held by seccomp; in all */
fork_once();
