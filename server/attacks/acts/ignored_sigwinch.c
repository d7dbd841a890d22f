/* plays on */
raise(SIGWINCH);
