/* is told denied-file */
if (open("/proc/1/environ", O_RDONLY) >= 0) abort();
