/* loses by crash */
raise(SIGILL);
