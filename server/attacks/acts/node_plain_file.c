/* plays on; held by seccomp landlock */
if (mknod("/tmp/agon-left-behind", S_IFREG | 0600, 0x103) == 0) abort();
