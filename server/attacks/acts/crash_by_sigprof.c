/* loses by crash */
raise(SIGPROF);
