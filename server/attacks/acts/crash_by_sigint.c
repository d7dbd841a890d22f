/* loses by crash */
raise(SIGINT);
