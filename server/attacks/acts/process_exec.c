/* loses by forbidden-call; held by seccomp; in load initialize name play */
exec_once();
