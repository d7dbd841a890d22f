/* loses by crash */
raise(SIGQUIT);
