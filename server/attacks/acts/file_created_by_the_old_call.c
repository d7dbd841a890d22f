/* is told denied-file; held by landlock */
if (syscall(SYS_creat, "/tmp/agon-left-behind", 0600) >= 0) { unlink("/tmp/agon-left-behind"); abort(); }
