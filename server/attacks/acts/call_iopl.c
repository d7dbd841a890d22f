/* plays on */
must_refuse(SYS_iopl);
