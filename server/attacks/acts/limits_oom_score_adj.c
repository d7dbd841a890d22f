/* plays on; held by limits landlock */
char text[16] = {0}; int file = open("/proc/self/oom_score_adj", O_RDONLY); if (file >= 0 && read(file, text, 15) > 0 && atoi(text) != 1000) abort();
