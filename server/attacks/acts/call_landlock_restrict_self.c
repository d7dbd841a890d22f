/* plays on; held by seccomp */
must_refuse(SYS_landlock_restrict_self);
