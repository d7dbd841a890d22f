/* plays on; held by seccomp */
if (socket(AF_NETLINK, SOCK_RAW, 0) >= 0) abort();
