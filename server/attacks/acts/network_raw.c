/* loses by forbidden-call; held by seccomp */
socket(AF_PACKET, SOCK_RAW, 0);
