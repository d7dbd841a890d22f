/* plays on */
char byte; if (read(0, &byte, 1) != 0) abort();
