/* loses by forbidden-call; held by seccomp; in all */
exec_once();
