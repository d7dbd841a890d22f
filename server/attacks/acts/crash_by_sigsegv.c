/* loses by crash */
raise(SIGSEGV);
