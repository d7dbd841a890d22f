/* plays on; held by seccomp */
must_refuse_with(SYS_memfd_secret, 0, 0, 0);
