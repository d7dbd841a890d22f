/* loses by forbidden-call; held by seccomp landlock */
struct { unsigned short family, port; unsigned address; char rest[8]; } self = {AF_INET, 0x100, 0x100007f, {0}}; /* 127.0.0.1, port 1 */
int end = socket(AF_INET, SOCK_STREAM, 0); if (end >= 0 && (connect(end, (struct sockaddr *)&self, sizeof self) == 0 || errno == ECONNREFUSED)) abort();
