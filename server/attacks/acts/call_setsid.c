/* plays on */
must_refuse(SYS_setsid);
