/* plays on; held by seccomp; in all */
if (signal(SIGSYS, SIG_IGN) != SIG_ERR) abort();
