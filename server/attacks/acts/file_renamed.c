/* plays on; held by seccomp */
if (rename("/tmp/agon-left-behind", "/tmp/agon-left") == 0 || errno != EPERM) abort();
