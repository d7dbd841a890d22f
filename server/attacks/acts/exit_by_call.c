/* loses by early-exit; plays on in unload */
syscall(SYS_exit_group, 0);
