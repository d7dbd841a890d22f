/* is told denied-file; held by landlock; in all */
if (open("/", O_RDONLY) >= 0) abort();
