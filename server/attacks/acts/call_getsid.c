/* plays on; held by seccomp */
if (getsid(getppid()) >= 0) abort();
