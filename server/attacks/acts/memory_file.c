/* plays on; held by seccomp; in all */
if (memfd_create("hidden", 0) >= 0) abort();
