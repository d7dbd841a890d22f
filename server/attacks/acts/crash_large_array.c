/* loses by crash */
volatile char large[64 << 20]; for (long i = sizeof large - 1; i > 0; i -= 4096) large[i] = 1;
