/* loses by crash */
raise(SIGKILL);
