/* plays on; held by seccomp; in all */
errno = 0; getpriority(PRIO_PROCESS, getppid()); if (errno == 0) abort();
