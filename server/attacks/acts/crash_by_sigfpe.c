/* loses by crash; in all */
raise(SIGFPE);
