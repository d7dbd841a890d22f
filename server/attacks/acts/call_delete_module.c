/* plays on */
must_refuse(SYS_delete_module);
