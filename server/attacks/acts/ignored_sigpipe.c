/* plays on */
raise(SIGPIPE);
