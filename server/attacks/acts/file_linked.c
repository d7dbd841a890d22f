/* plays on; held by seccomp; in all */
if (symlink("/etc", "/tmp/agon-left-behind") == 0 || errno != EPERM) abort();
