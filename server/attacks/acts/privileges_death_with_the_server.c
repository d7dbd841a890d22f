/* plays on; held by seccomp privileges */
int signal = SIGKILL; if (prctl(PR_GET_PDEATHSIG, &signal, 0, 0, 0) == 0 && signal != SIGKILL) abort();
