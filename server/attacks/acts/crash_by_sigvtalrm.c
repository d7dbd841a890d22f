/* loses by crash */
raise(SIGVTALRM);
