/* plays on; held by seccomp; in all */
if (open("/etc/passwd", O_PATH) >= 0) abort();
