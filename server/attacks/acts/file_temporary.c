/* is told denied-file; held by landlock */
if (open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0) abort();
