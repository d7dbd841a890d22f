/* is told denied-file; held by landlock */
if (open(".", O_RDONLY) >= 0) abort();
