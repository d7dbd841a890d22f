/* plays on; held by seccomp landlock */
if (rmdir("/usr") == 0 || errno == ENOTEMPTY || errno == EBUSY) abort();
