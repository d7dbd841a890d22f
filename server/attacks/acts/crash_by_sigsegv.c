/* loses by crash; in all */
raise(SIGSEGV);
