/* loses by crash; in all */
raise(SIGPROF);
