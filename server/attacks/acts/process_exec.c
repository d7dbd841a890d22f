/* loses by forbidden-call; held by seccomp */
exec_once();
