/* loses by crash; in all */
raise(SIGTERM);
