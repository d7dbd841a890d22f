/* plays on; in all */
raise(SIGXFSZ);
