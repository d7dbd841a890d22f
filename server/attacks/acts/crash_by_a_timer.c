/* loses by crash */
setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 1000}}, NULL); spin(0.01);
