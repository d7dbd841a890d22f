/* is told denied-file; held by landlock */
if (open("/dev/urandom", O_RDONLY) >= 0) abort();
