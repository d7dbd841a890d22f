/* plays on; held by seccomp */
if (signal(SIGSYS, SIG_IGN) != SIG_ERR) abort();
