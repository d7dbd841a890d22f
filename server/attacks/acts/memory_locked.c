/* plays on */
if (mlockall(MCL_FUTURE) == 0 && mmap(NULL, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) abort();
