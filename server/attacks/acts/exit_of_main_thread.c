/* loses by crash; in all */
pthread_exit(NULL);
