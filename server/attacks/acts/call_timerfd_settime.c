/* plays on; held by seccomp */
must_refuse(SYS_timerfd_settime);
