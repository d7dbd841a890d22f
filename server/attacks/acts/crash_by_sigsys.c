/* loses by crash */
raise(SIGSYS);
