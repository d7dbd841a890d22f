/* loses by forbidden-call; held by seccomp */
socket(AF_INET, SOCK_STREAM, 0);
