/* loses by out-of-memory */
for (;;) { char *block = calloc(1, 1 << 20); if (block) for (int i = 0; i < 1 << 20; i += 4096) block[i] = 1; }
