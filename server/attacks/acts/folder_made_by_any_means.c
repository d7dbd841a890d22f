/* plays on; held by seccomp landlock */
if (mkdir("/tmp/agon-left-behind", 0700) == 0) abort();
