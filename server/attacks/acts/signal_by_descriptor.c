/* plays on; held by seccomp */
must_refuse_with(SYS_pidfd_open, getppid(), 0, 0);
