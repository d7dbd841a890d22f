/* plays on; held by seccomp */
must_refuse(SYS_set_mempolicy_home_node);
