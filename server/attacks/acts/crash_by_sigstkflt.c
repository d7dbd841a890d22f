/* loses by crash */
raise(SIGSTKFLT);
