/* plays on; held by seccomp */
must_refuse(SYS_copy_file_range);
