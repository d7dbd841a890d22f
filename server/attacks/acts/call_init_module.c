/* plays on */
must_refuse(SYS_init_module);
