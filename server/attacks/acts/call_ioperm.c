/* plays on */
must_refuse(SYS_ioperm);
