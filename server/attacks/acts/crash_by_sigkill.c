/* loses by crash; in all */
raise(SIGKILL);
