/* plays on; held by seccomp; in all */
int ends[2]; if (pipe(ends) == 0) abort();
