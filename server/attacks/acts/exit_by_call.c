/* loses by early-exit */
syscall(SYS_exit_group, 0);
