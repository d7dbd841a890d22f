/* loses by crash */
raise(SIGBUS);
