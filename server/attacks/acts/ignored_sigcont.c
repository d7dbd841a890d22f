/* plays on */
raise(SIGCONT);
