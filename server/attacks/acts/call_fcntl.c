/* plays on; held by seccomp */
if (fcntl(1, F_SETFL, O_WRONLY) == 0) abort();
