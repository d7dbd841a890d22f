/* loses by forbidden-call; held by seccomp; in all */
socket(AF_INET, SOCK_STREAM, 0);
