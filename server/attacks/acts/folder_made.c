/* plays on; held by seccomp */
if (mkdir("/tmp/agon-left-behind", 0700) == 0 || errno != EPERM) abort();
