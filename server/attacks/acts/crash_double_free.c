/* loses by crash */
char *volatile block = malloc(40); free(block); free(block);
