/* plays on */
must_refuse(SYS_kexec_file_load);
