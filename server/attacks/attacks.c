/* A client that does one forbidden or careless thing at one point of its life, and is sound otherwise. Which and when stands in
 * `agon_attack`, which whoever plays it writes into a copy of the file; `agon_attacks` says what there is. An act is one file of acts/, or a line of calls.txt: the
 * first line of a file says what must come of it, and `abort()` in it means that it got what it must not get. */
static void attack(const char *phase);
static void attack_in_play(void);
#define AT_LOAD attack("load")
#define AT_INITIALIZE attack("initialize")
#define AT_NAME attack("name")
#define AT_PLAY attack_in_play()
#define AT_FINALIZE attack("finalize")
#include "../agon/tests/clients/sound.c"
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

__attribute__((used)) volatile char agon_attack[96] = "agon-attack:none@never";

/* Arguments that no call takes: what answers otherwise than the filter does has looked at them. */
UNUSED static void must_refuse(long call) {
    if (syscall(call, -1, -1, -1, -1, -1, -1) != -1 || errno != (call < 424 ? EPERM : ENOSYS)) abort();
}

UNUSED static void must_refuse_with(long call, long a, long b, long c) {
    if (syscall(call, a, b, c, 0, 0, 0) != -1 || (errno != EPERM && errno != ENOSYS && errno != EACCES && errno != ENOTTY)) abort();
}

/* The kernel reads the page before it refuses what it is asked. */
UNUSED static int is_mapped(long page) {
    return syscall(SYS_rt_sigprocmask, -1, page, NULL, 8) == -1 && errno != EFAULT;
}

/* Whether a text is in these pages; it is given with every byte changed by 1, so that it does not find what it was asked. */
UNUSED static int pages_have(long first, long last, const char *changed) {
    size_t length = strlen(changed);
    for (long page = first & -4096L; page < last; page += 4096) {
        if (!is_mapped(page)) continue;
        const char *end = (const char *)page + (is_mapped(page + 4096) ? 4096 : 4096 - length);
        for (const char *at = (const char *)page; at < end; at++) {
            size_t same = 0;
            while (same < length && at[same] == (char)(changed[same] ^ 1)) same++;
            if (same == length) return 1;
        }
    }
    return 0;
}

/* Whether it is in the heap or around the stack. */
UNUSED static int memory_has(const char *changed) {
    long stack = (long)&stack, heap = (long)sbrk(0);
    return pages_have(heap - (4L << 20), heap, changed) || pages_have(stack - (256L << 10), stack + (256L << 10), changed);
}

UNUSED static void start_thread_that(void *(*does)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, does, NULL) == 0) pthread_detach(thread);
    sleep_us(3000);
}

/* Waits for its end, which may be that of all. */
UNUSED static void join_thread_that(void *(*does)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, does, NULL) == 0) pthread_join(thread, NULL);
}

UNUSED static void limit_is_at_most(int resource, rlim_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0 && limit.rlim_max > most) abort();
}

/* A word of a library's code: the same page in every process. */
#define SHARED_WORD ((int *)((long)&printf & ~4095L))

UNUSED static void *end_threads(void *nothing) {
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
    for (int i = 0; i < 10; i++) {
        char *stack = map_private(1 << 16);
        if (stack) clone(end_thread, stack + (1 << 16), flags, NULL, NULL, NULL, SHARED_WORD);
        sleep_us(4000);
    }
    return nothing;
}

/* Whether a wait that is not private is ended by the end of a thread, as one in another process is. */
UNUSED static int hear_end_of_thread(int operation) {
    struct timespec now, end = {0, 30000000};
    if (operation == 9) { /* names the time */
        clock_gettime(CLOCK_MONOTONIC, &now);
        end.tv_sec = now.tv_sec + (now.tv_nsec + end.tv_nsec) / 1000000000;
        end.tv_nsec = (now.tv_nsec + end.tv_nsec) % 1000000000;
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_threads, NULL) != 0) return 0;
    int heard = syscall(SYS_futex, SHARED_WORD, operation, *SHARED_WORD, &end, NULL, -1) == 0;
    pthread_join(thread, NULL);
    return heard;
}

UNUSED static void *die_of_null(void *nothing) { *nowhere = 1; return nothing; }
UNUSED static void *leave(void *nothing) { _exit(4); return nothing; }
UNUSED static void *spin_for_ever(void *nothing) { for (volatile int on = 1; on;) {} return nothing; }
UNUSED static void *sleep_for_ever(void *nothing) { for (;;) sleep_us(1000000); return nothing; }
UNUSED static void *fill_in_thread(void *nothing) { fill(malloc); return nothing; }
UNUSED static void fork_on_signal(int signal) { (void)signal; fork_once(); }
UNUSED static void spin_on_signal(int signal) { (void)signal; for (volatile int on = 1; on;) {} }

/* Generated: a function `act_NAME` for each act, `ACTS` with all of them, and `agon_attacks` in words. */
#include "acts.inc"

static void attack(const char *phase) {
    char chosen[sizeof agon_attack];
    for (size_t i = 0; i < sizeof chosen; i++) chosen[i] = agon_attack[i];
    char *name = chosen + sizeof "agon-attack:" - 1, *at = strchr(name, '@');
    if (!at || strcmp(at + 1, phase) != 0) return;
    *at = 0;
    for (size_t i = 0; i < sizeof ACTS / sizeof *ACTS; i++)
        if (strcmp(ACTS[i].name, name) == 0) ACTS[i].run();
}

__attribute__((destructor)) static void when_unloaded(void) { attack("unload"); }

static void *attack_in_thread(void *nothing) { attack("thread"); return nothing; }

static void attack_on_signal(int signal) { (void)signal; attack("handler"); }

static void attack_in_play(void) {
    attack("play");
    pthread_t thread;
    if (strstr((const char *)agon_attack, "@thread") && pthread_create(&thread, NULL, attack_in_thread, NULL) == 0)
        pthread_join(thread, NULL);
    if (strstr((const char *)agon_attack, "@handler")) {
        signal(SIGRTMAX, attack_on_signal);
        raise(SIGRTMAX);
    }
}
