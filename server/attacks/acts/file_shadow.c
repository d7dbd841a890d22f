/* is told denied-file; held by landlock; in all */
if (open("/etc/shadow", O_RDONLY) >= 0) abort();
