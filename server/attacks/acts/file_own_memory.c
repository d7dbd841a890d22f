/* plays on; held by landlock */
if (open("/proc/self/mem", O_RDWR) >= 0) abort();
