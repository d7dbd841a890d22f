/* loses by crash; in all */
raise(SIGVTALRM);
