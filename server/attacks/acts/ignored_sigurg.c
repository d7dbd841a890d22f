/* plays on; in all */
raise(SIGURG);
