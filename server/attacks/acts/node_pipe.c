/* plays on; held by seccomp landlock */
if (mknod("/tmp/agon-left-behind", S_IFIFO | 0600, 0x103) == 0) abort();
