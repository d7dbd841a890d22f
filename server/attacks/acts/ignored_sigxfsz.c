/* plays on */
raise(SIGXFSZ);
