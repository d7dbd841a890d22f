/* plays on; held by seccomp; not in unload: a process that ends while it is traced would only wait, which nobody sees */
must_refuse_with(SYS_ptrace, 0, 0, 0);
