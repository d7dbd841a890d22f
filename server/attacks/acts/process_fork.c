/* loses by forbidden-call; held by seccomp */
fork_once();
