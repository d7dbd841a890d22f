/* loses by crash; in all */
raise(SIGINT);
