/* loses by crash; in all */
raise(SIGILL);
