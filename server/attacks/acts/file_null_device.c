/* is told denied-file; held by landlock */
if (open("/dev/null", O_RDWR) >= 0) abort();
