/* plays on; held by seccomp privileges */
must_refuse(SYS_reboot);
