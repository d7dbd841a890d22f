/* loses by crash; in all */
raise(SIGUSR1);
