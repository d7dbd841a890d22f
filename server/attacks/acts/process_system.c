/* loses by forbidden-call; held by seccomp */
if (system("true")) {}
