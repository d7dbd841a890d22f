/* plays on; held by seccomp */
must_refuse(SYS_name_to_handle_at);
