/* loses by crash; in all */
raise(SIGBUS);
