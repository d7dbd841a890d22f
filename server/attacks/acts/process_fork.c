/* loses by forbidden-call; held by seccomp; in load initialize name play */
fork_once();
