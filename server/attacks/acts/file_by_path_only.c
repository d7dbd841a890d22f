/* plays on; held by seccomp */
if (open("/etc/passwd", O_PATH) >= 0) abort();
