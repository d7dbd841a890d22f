/* plays on; held by seccomp; in all */
if (mkdir("/tmp/agon-left-behind", 0700) == 0 || errno != EPERM) abort();
