/* Runs a program on a kernel that lacks parts: old_kernel PART... -- PROGRAM ARGUMENTS. Parts: landlock, seccomp, pidfd,
   and limits and privileges, which every kernel has. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sock_filter rules[32] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
};
static unsigned short count = 1;

static void lack(unsigned call) {
    rules[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
    rules[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
}

/* The limits of processes cannot be set; reading them goes on. */
static void lack_limits(void) {
    rules[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4);
    rules[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]));
    rules[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    rules[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    rules[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
}

int main(int argc, char **argv) {
    int at = 1;
    for (; at < argc && strcmp(argv[at], "--"); at++) {
        if (!strcmp(argv[at], "landlock")) lack(444), lack(445), lack(446);
        if (!strcmp(argv[at], "seccomp")) lack(SYS_seccomp);
        if (!strcmp(argv[at], "pidfd")) lack(434);
        if (!strcmp(argv[at], "limits")) lack_limits(), lack(SYS_setrlimit);
        if (!strcmp(argv[at], "privileges")) lack(SYS_capset);
    }
    rules[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {count, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 126;
    execv(argv[at + 1], argv + at + 1);
    perror(argv[at + 1]);
    return 127;
}
