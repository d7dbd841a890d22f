/* plays on; held by seccomp */
must_refuse(SYS_set_tid_address);
