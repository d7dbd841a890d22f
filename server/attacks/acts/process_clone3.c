/* plays on; held by seccomp; in load initialize name play */
must_refuse_with(SYS_clone3, 0, 0, 0);
