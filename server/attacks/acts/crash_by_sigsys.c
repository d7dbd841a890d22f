/* loses by forbidden-call */
raise(SIGSYS);
