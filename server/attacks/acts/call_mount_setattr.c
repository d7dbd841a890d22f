/* plays on; held by seccomp */
must_refuse(SYS_mount_setattr);
