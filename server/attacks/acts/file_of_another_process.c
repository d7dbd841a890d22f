/* is told denied-file */
char name[64]; sprintf(name, "/proc/%d/mem", getppid()); if (open(name, O_RDWR) >= 0) abort();
