/* plays on; held by seccomp landlock */
if (truncate("/proc/self/comm", 0) == 0) abort();
