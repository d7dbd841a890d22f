/* loses by crash */
raise(SIGHUP);
