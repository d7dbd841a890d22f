/* is told denied-file; held by landlock */
if (open("/etc/passwd", O_RDONLY) >= 0) abort();
