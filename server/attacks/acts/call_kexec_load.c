/* plays on */
must_refuse(SYS_kexec_load);
