/* Two clients that talk to each other by what the sandbox cannot close: the lines of a cache on the core that they take turns on, and the
 * counter of the machine's threads. Included before echo.c, whose PLAY calls one of these. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

/* The place of a line within its page is a part of its set's number in every cache, whatever pages the kernel gives: a bit for each place. */
#define PLACES 64
#define LINE 64
#define PAGE 4096
#define PAGES 512 /* of the sender */
#define HEARD 64 /* of these, of the receiver */

static volatile char *pages(void) {
    static char *fresh;
    if (fresh == NULL) {
        fresh = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(fresh, 1, PAGES * PAGE);
    }
    return fresh;
}

/* Reads the line at a place of so many pages; returns the cycles that it took. */
static uint64_t touch(int place, int count) {
    volatile char *from = pages() + place * LINE;
    unsigned core;
    uint64_t began = __rdtscp(&core);
    for (int page = 0; page < count; page++) (void)from[page * 37 % count * PAGE];
    _mm_lfence();
    return __rdtscp(&core) - began;
}

static uint64_t send_by_cache(uint64_t bits) {
    for (int again = 0; again < 2; again++)
        for (int place = 0; place < PLACES; place++)
            if (bits >> place & 1) touch(place, PAGES);
    return 0;
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* What was evicted since the last call takes longer; the next call finds what this one read. */
static uint64_t hear_by_cache(void) {
    uint64_t took[PLACES], sorted[PLACES], bits = 0;
    for (int place = 0; place < PLACES; place++) took[place] = touch(place, HEARD);
    memcpy(sorted, took, sizeof took);
    qsort(sorted, PLACES, sizeof *sorted, compare);
    uint64_t middle = (sorted[PLACES / 4] + sorted[3 * PLACES / 4]) / 2;
    for (int place = 0; place < PLACES; place++) bits |= (uint64_t)(took[place] > middle) << place;
    return bits;
}

static volatile long number;

static void *tell_number(void *nothing) {
    number = syscall(SYS_gettid);
    return nothing;
}

/* A thread that lives and dies: its number. */
static long start_thread(void) {
    pthread_t thread;
    number = 0;
    if (pthread_create(&thread, NULL, tell_number, NULL)) return 0;
    pthread_detach(thread);
    while (number == 0) sched_yield();
    return number;
}

static uint64_t send_by_threads(uint64_t count) {
    while (count-- > 0) start_thread();
    return 0;
}

static uint64_t hear_by_threads(void) {
    static long before;
    long now = start_thread(), count = now - before - 1;
    before = now;
    return (uint64_t)count;
}

#ifdef FILES
/* Some of the system's files, a bit for each: what one client reads, a later one finds by the time of access. */
static uint64_t each_file(int (*act)(const char *path), uint64_t bits) {
    static const char *const files[64] = {FILES};
    uint64_t found = 0;
    for (int i = 0; i < 64 && files[i] != NULL; i++)
        if (bits >> i & 1) found |= (uint64_t)act(files[i]) << i;
    return found;
}

static int read_a_byte(const char *path) {
    char byte;
    int file = open(path, O_RDONLY);
    int got = read(file, &byte, 1) == 1;
    close(file);
    return got;
}

static int was_read_lately(const char *path) {
    struct stat told;
    int file = open(path, O_RDONLY);
    int is_late = fstat(file, &told) == 0 && time(NULL) - told.st_atime < 60;
    close(file);
    return is_late;
}

static uint64_t send_by_access(uint64_t bits) { return each_file(read_a_byte, bits); }
static uint64_t hear_by_access(void) { return each_file(was_read_lately, ~0ull); }
#endif
