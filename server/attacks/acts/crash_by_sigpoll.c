/* loses by crash; in all */
raise(SIGPOLL);
