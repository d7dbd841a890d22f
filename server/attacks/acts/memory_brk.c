/* loses by out-of-memory */
for (;;) { char *block = sbrk(1 << 20); if (block != (char *)-1) memset(block, 1, 1 << 20); else spin(1); }
