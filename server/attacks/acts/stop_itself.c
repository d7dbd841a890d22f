/* loses by stalled; is told finalize in unload */
kill(getpid(), SIGSTOP);
