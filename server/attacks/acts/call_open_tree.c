/* plays on; held by seccomp */
must_refuse(SYS_open_tree);
