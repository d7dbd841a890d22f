/* loses by crash; in all */
raise(SIGQUIT);
