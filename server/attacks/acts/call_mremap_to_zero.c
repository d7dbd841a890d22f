/* plays on; held by seccomp privileges */
char *block = map_private(4096); if (mremap(block, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, NULL) == NULL) abort();
