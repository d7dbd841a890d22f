/* loses by forbidden-call; held by seccomp */
socket(AF_INET6, SOCK_STREAM, 0);
