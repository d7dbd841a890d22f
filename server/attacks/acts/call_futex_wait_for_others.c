/* plays on; held by seccomp */
if (hear_end_of_thread(0) || hear_end_of_thread(9)) abort();
