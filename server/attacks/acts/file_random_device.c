/* is told denied-file; held by landlock; in all */
if (open("/dev/urandom", O_RDONLY) >= 0) abort();
