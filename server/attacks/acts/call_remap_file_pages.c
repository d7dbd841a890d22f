/* plays on; held by seccomp */
must_refuse(SYS_remap_file_pages);
