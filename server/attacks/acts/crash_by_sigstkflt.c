/* loses by crash; in all */
raise(SIGSTKFLT);
