/* loses by stalled; plays on in unload */
kill(getpid(), SIGSTOP);
