/* loses by crash */
signal(SIGALRM, SIG_DFL); ualarm(1000, 0); spin(0.01);
