/* loses by out-of-memory */
char *block = NULL; for (size_t size = 1 << 20;; size += 1 << 20) { block = realloc(block, size); if (block) memset(block + size - (1 << 20), 1, 1 << 20); }
