/* plays on; held by landlock */
if (open("/proc/self/comm", O_WRONLY) >= 0) abort();
