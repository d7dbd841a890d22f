/* loses by crash */
pthread_exit(NULL);
