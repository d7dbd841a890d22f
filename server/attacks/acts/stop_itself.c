/* loses by stalled */
kill(getpid(), SIGSTOP);
