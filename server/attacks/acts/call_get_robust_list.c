/* plays on; held by seccomp */
must_refuse(SYS_get_robust_list);
