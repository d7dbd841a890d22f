/* loses by forbidden-call; held by seccomp; in all */
socket(AF_INET6, SOCK_STREAM, 0);
