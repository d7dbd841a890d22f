/* plays on; held by seccomp */
/* The kernel would look at the address. */
static int words[2]; if (syscall(SYS_futex, (char *)words + 1, 1, 1, 0, 0, 0) != 0 || syscall(SYS_futex, (char *)words + 1, 10, 1, 0, 0, -1) != 0) abort();
