/* plays on; held by seccomp; in all */
must_refuse_with(SYS_ptrace, 0, 0, 0);
