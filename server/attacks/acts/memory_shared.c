/* plays on; held by seccomp; in all */
if (map_shared(1 << 20)) abort();
