/* plays on; held by seccomp */
struct sigevent silent = {.sigev_notify = SIGEV_NONE}; int timer;
if (syscall(SYS_timer_create, (long)((~(clockid_t)getppid() << 3) | 2), &silent, &timer) == 0) abort();
