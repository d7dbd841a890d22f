/* plays on; held by seccomp; in all */
struct rlimit limit; if (prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) == 0) abort();
