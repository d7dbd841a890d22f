/* loses by crash */
raise(SIGPOLL);
