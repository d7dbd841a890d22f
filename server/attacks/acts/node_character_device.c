/* plays on; held by seccomp landlock */
if (mknod("/tmp/agon-left-behind", S_IFCHR | 0600, 0x103) == 0) abort();
