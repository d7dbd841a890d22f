/* is told denied-file; held by landlock; in all */
if (open("/dev/zero", O_RDWR) >= 0) abort();
