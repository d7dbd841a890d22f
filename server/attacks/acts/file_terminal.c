/* is told denied-file; held by landlock */
if (open("/dev/tty", O_RDWR) >= 0) abort();
