/* plays on; held by seccomp */
must_refuse(SYS_perf_event_open);
