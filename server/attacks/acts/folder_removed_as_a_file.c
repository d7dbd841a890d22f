/* plays on; held by seccomp landlock */
if (unlink("/usr") == 0 || errno == EISDIR) abort();
