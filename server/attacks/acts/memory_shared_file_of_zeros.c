/* is told denied-file; held by landlock */
if (open("/dev/zero", O_RDWR) >= 0) abort();
