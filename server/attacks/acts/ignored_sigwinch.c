/* plays on; in all */
raise(SIGWINCH);
