/* loses by forbidden-call; in all */
raise(SIGSYS);
