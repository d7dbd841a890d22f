/* loses by cpu-time */
signal(SIGALRM, spin_on_signal); raise(SIGALRM);
