/* plays on; held by seccomp */
if (unlink("/tmp/agon-left-behind") == 0 || errno != EPERM) abort();
