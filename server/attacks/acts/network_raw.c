/* loses by forbidden-call; held by seccomp; in all */
socket(AF_PACKET, SOCK_RAW, 0);
