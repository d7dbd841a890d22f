/* plays on; held by seccomp landlock */
struct { unsigned short family; char name[60]; } outside = {AF_UNIX, {0}};
int length = sprintf(outside.name + 1, "agon-outside-%d", getppid()), end = socket(AF_UNIX, SOCK_STREAM, 0);
if (end >= 0 && connect(end, (struct sockaddr *)&outside, 3 + length) == 0) abort();
