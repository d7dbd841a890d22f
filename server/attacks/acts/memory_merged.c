/* plays on; held by seccomp */
char *block = map_private(1 << 20); if (madvise(block, 1 << 20, MADV_MERGEABLE) == 0) abort();
