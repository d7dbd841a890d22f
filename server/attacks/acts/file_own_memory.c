/* plays on; held by landlock; in all */
if (open("/proc/self/mem", O_RDWR) >= 0) abort();
