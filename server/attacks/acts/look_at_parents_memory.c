/* plays on; held by seccomp */
must_refuse_with(SYS_process_vm_readv, getppid(), 0, 0);
