/* loses by early-exit; in all */
syscall(SYS_exit_group, 0);
