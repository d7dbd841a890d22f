/* is told denied-file; held by landlock */
if (open("/dev/shm/agon-left-behind", O_CREAT | O_RDWR, 0600) >= 0) abort();
