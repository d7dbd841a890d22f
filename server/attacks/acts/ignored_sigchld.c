/* plays on; in all */
raise(SIGCHLD);
