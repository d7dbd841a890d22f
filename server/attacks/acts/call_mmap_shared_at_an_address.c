/* plays on; held by seccomp */
if (mmap((void *)0x10000000000, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) abort();
