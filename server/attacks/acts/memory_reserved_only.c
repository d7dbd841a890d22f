/* plays on */
if (!malloc(1ul << 32)) abort();
