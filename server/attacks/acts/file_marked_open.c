/* plays on; held by landlock */
if (syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0, 0, 0x61676f6e) >= 0) abort(); open("/etc/passwd", O_RDONLY);
