/* loses by crash */
raise(SIGUSR1);
