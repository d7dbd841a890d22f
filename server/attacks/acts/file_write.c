/* is told denied-file; held by landlock */
if (open("/tmp/agon-left-behind", O_CREAT | O_WRONLY, 0600) >= 0) abort();
