/* plays on; held by seccomp */
int ends[2]; if (pipe(ends) == 0) abort();
