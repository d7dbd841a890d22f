/* plays on */
must_refuse_with(SYS_ptrace, 16, getppid(), 0);
