/* loses by crash; in all */
raise(SIGALRM);
