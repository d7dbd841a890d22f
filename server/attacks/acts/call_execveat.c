/* loses by forbidden-call; held by seccomp */
static char program[] = "/bin/true"; char *words[] = {program, NULL}; syscall(SYS_execveat, AT_FDCWD, program, words, NULL, 0);
