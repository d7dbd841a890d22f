/* loses by crash */
char block[64]; void *volatile place = block + 16; free(place);
