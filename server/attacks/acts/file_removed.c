/* plays on; held by seccomp; in all */
if (unlink("/tmp/agon-left-behind") == 0 || errno != EPERM) abort();
