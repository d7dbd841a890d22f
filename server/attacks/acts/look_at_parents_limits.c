/* plays on; held by seccomp */
struct rlimit limit; if (prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) == 0) abort();
