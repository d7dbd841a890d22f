/* plays on; held by seccomp */
int waiting; if (syscall(SYS_ioctl, 1, 0x541b, &waiting) == 0) abort(); /* FIONREAD */
