/* plays on; held by seccomp privileges */
if (mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == 0) abort();
