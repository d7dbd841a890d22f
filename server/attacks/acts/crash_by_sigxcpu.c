/* loses by crash; in all */
raise(SIGXCPU);
