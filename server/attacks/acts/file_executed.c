/* loses by forbidden-call; held by seccomp landlock */
/* Among the libraries, which may be read. */
#ifdef __x86_64__
static char program[] = "/lib64/ld-linux-x86-64.so.2";
#else
static char program[] = "/lib/ld-linux-aarch64.so.1";
#endif
char *words[] = {program, NULL}; execv(program, words);
