/* loses by crash */
raise(SIGPWR);
