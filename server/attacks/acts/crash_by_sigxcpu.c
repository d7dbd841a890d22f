/* loses by crash */
raise(SIGXCPU);
