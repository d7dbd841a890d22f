/* loses by crash; plays on in thread unload */
pthread_exit(NULL);
