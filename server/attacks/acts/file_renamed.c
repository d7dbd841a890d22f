/* plays on; held by seccomp; in all */
if (rename("/tmp/agon-left-behind", "/tmp/agon-left") == 0 || errno != EPERM) abort();
