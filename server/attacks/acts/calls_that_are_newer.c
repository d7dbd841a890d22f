/* plays on; held by seccomp */
/* Since all processors number them alike: each as by a kernel that has none of them. */
for (long call = 424; call <= 600; call++)
    if (syscall(call, -1, -1, -1, -1, -1, -1) != -1 || errno != ENOSYS) abort();
