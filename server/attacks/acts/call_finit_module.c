/* plays on */
must_refuse(SYS_finit_module);
