/* plays on; held by seccomp */
must_refuse_with(SYS_shmget, 0, 4096, 0600);
