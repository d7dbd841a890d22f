/* is told denied-file; held by landlock; in all */
if (open("/etc/passwd", O_RDONLY) >= 0) abort();
