/* plays on; in all */
raise(SIGCONT);
