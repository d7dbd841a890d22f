/* plays on; held by seccomp */
errno = 0; getpriority(PRIO_PROCESS, getppid()); if (errno == 0) abort();
