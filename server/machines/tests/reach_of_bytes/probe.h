/* The first statement of a client: which layers of the sandbox hold, told by the process's own name, which anybody reads from outside:
 * TAG and three digits, for limits, landlock and seccomp. CANARY is a file that everybody but a client may read. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

static long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

__attribute__((constructor)) static void probe(void) {
    char name[16];
    struct rlimit size = {1, 1};
    getrlimit(RLIMIT_FSIZE, &size);
    int limits = size.rlim_max == 0, landlock = open(CANARY, O_RDONLY) < 0, seccomp = prctl(PR_GET_KEEPCAPS, 0, 0, 0, 0) < 0;
    snprintf(name, sizeof name, TAG "%d%d%d", limits, landlock, seccomp);
    prctl(PR_SET_NAME, name, 0, 0, 0);
    for (long until = now_ms() + 120; now_ms() < until;) continue;
}
