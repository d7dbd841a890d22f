/* loses by crash */
raise(SIGUSR2);
