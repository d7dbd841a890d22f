/* plays on; held by seccomp */
if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) abort();
