/* plays on; held by seccomp */
char *block = map_private(1 << 20); memset(block, 1, 1 << 20); if (madvise(block, 1 << 20, 21) == 0) abort();
