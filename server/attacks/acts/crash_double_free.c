/* loses by crash; in all */
char *volatile block = malloc(40); free(block); free(block);
