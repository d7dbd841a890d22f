/* loses by forbidden-call; held by seccomp */
#ifdef __x86_64__
/* Where the kernel knows no such calls it ends as a crash would. */
signal(SIGSEGV, fork_on_signal);
long answer;
__asm__ volatile("int $0x80" : "=a"(answer) : "a"(20) : "memory", "r8", "r9", "r10", "r11"); /* getpid */
#else
fork_once();
#endif
