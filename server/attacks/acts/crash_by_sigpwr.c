/* loses by crash; in all */
raise(SIGPWR);
