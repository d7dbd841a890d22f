/* plays on; held by seccomp */
must_refuse(SYS_sync_file_range);
