/* loses by crash */
char block[64] = {0}; void *volatile place = block + 16; free(place);
