/* plays on; held by seccomp */
char name[64]; sprintf(name, "/proc/%d", getppid()); if (access(name, F_OK) == 0) abort();
