/* plays on; held by seccomp */
must_refuse_with(SYS_rt_sigqueueinfo, getppid(), 0, 0);
