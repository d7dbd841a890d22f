/* plays on; held by seccomp */
static char stack[1 << 16];
if (clone(end_thread, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, NULL) > 0) abort();
