/* plays on; held by seccomp */
if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) abort();
