/* loses by crash */
raise(SIGTRAP);
