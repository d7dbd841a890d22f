/* plays on; held by seccomp */
must_refuse(SYS_migrate_pages);
