/* plays on; held by seccomp */
if (getpgid(getppid()) >= 0) abort();
