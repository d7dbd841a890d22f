/* plays on; held by seccomp; in all */
if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) abort();
