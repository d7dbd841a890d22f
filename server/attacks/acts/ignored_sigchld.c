/* plays on */
raise(SIGCHLD);
