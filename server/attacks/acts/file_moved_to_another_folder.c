/* plays on; held by seccomp landlock */
if (link("/etc/passwd", "/tmp/agon-left-behind") == 0) abort();
