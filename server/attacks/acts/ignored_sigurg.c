/* plays on */
raise(SIGURG);
