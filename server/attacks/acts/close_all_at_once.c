/* plays on; held by seccomp */
must_refuse_with(SYS_close_range, 0, ~0u, 0);
