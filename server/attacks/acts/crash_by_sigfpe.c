/* loses by crash */
raise(SIGFPE);
