/* plays on; held by seccomp */
static int words[2]; if (syscall(SYS_futex, words, 3, 1, 1, words + 1, 0) != -1 || errno != ENOSYS) abort();
