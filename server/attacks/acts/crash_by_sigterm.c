/* loses by crash */
raise(SIGTERM);
