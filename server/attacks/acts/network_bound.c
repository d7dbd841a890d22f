/* loses by forbidden-call; held by seccomp landlock */
struct { unsigned short family, port; unsigned address; char rest[8]; } any = {AF_INET, 0, 0, {0}};
int end = socket(AF_INET, SOCK_STREAM, 0); if (end >= 0 && bind(end, (struct sockaddr *)&any, sizeof any) == 0) abort();
