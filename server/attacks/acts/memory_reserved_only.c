/* plays on; in all */
if (!malloc(1ul << 32)) abort();
