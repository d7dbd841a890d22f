/* plays on */
/* Only where it is known that no terminal would be hung up: without Landlock. */
char text[256] = {0}; int file = open("/proc/self/stat", O_RDONLY);
long terminal = 1; char *state = file >= 0 && read(file, text, 255) > 0 ? strrchr(text, ')') : NULL;
if (state && sscanf(state + 1, " %*c %*d %*d %*d %ld", &terminal) == 1 && terminal == 0) must_refuse(SYS_vhangup);
