/* plays on; held by seccomp */
if (map_shared(1 << 20)) abort();
