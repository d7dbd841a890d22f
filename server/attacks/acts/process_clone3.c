/* plays on; held by seccomp */
must_refuse_with(SYS_clone3, 0, 0, 0);
