/* loses by crash; in all */
raise(SIGHUP);
