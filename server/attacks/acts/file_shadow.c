/* is told denied-file; held by landlock */
if (open("/etc/shadow", O_RDONLY) >= 0) abort();
