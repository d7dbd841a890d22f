/* loses by crash */
raise(SIGALRM);
