/* is told denied-file; in all */
if (open("/proc/1/environ", O_RDONLY) >= 0) abort();
