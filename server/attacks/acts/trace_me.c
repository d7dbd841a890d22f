/* plays on; held by seccomp */
must_refuse_with(SYS_ptrace, 0, 0, 0);
