/* plays on; in all */
raise(SIGPIPE);
