/* plays on; held by seccomp; in all */
if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) abort();
