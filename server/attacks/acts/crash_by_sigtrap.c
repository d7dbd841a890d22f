/* loses by crash; in all */
raise(SIGTRAP);
