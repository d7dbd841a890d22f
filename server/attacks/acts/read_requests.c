/* plays on */
char bytes[64]; for (int fd = 3; fd < 64; fd++) if (read(fd, bytes, sizeof bytes) > 0) abort();
