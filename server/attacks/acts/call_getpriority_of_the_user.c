/* plays on; held by seccomp */
errno = 0; getpriority(PRIO_USER, 0); if (errno == 0) abort();
