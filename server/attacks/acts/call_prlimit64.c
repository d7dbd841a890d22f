/* plays on; held by seccomp */
struct rlimit limit = {0, 0}; if (prlimit(0, RLIMIT_CORE, &limit, NULL) == 0 || prlimit(getpid(), RLIMIT_CORE, &limit, NULL) == 0) abort();
