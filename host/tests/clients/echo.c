/* A client of a test game, written without agon.h: it pins version 1 of the binary contract and must load for ever.
 * What it does beyond echoing is given on the compiler's command line, as the macros START, INITIALIZE, PLAY, NAME and FINALIZE. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct services {
    uint64_t size;
    uint64_t (*cpu_us)(void);
    void (*log)(const char *key, const char *value);
};

struct setup_head {
    uint32_t size, abi, seat, seats;
    uint64_t seed, memory;
    uint32_t threads, clock;
    uint64_t total_us, increment_us, per_move_us, initialize_us, finalize_us;
    const char *options;
    const struct services *services;
    uint64_t reserved[4];
};

struct turn_head {
    uint32_t size, ply;
    uint64_t cpu_left_us, wall_left_us, total_left_us;
    uint64_t reserved[2];
};

struct echo_setup {
    struct setup_head head;
    uint64_t count;
    uint64_t *values;
};

struct echo_turn {
    struct turn_head head;
    uint64_t number;
    const char *text;
};

struct echo_move {
    uint64_t number;
};

struct field {
    const char *name;
    uint32_t offset, size;
};

struct descriptor {
    uint32_t abi, size;
    const char *game;
    uint32_t setup_size, turn_size, move_size, num_fields;
    const struct field *fields;
    const char *(*name)(void);
    int32_t (*initialize)(void *setup);
    void (*play)(const void *turn, void *move);
    void (*finalize)(void);
};

#ifndef ABI
#define ABI 1
#endif
#ifndef GAME
#define GAME "echo"
#endif
#ifndef SYMBOL
#define SYMBOL agon_client
#endif
#ifndef SHIFT
#define SHIFT 0
#endif
#ifndef NAME
#define NAME "Echo"
#endif

static struct echo_setup *setup;
static char text[256];
static volatile int zero;

/* Lets a test see what a call came to. */
static int tell(const char *key, long number) {
    snprintf(text, sizeof text, "%ld", number);
    setup->head.services->log(key, text);
    return 0;
}

/* Stops the compiler from turning endless recursion into a loop. */
static uint64_t dive(uint64_t depth) {
    volatile char room[512];
    room[0] = (char)depth;
    return dive(depth + 1) + (uint64_t)room[0];
}

static void *count_up(void *sum) {
    for (int i = 0; i < 1000; ++i) {
        __atomic_fetch_add((uint64_t *)sum, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static uint64_t count_with_threads(int threads) {
    pthread_t each[8];
    uint64_t sum = 0;
    for (int i = 0; i < threads; ++i) {
        if (pthread_create(&each[i], NULL, count_up, &sum) != 0) {
            return 0;
        }
    }
    for (int i = 0; i < threads; ++i) {
        pthread_join(each[i], NULL);
    }
    return sum;
}

static int exit_thread(void *nothing) {
    syscall(SYS_exit, 0);
    return 0;
}

static void *fork_in_thread(void *nothing) {
    fork();
    return NULL;
}

static int sleep_ms(long ms) {
    struct timespec time = {0, ms * 1000000};
    return nanosleep(&time, NULL);
}

static void *post(void *semaphore) {
    sleep_ms(10);
    sem_post(semaphore);
    return NULL;
}

/* One that processes might share, which its owner need not know: it uses futexes that are not private. */
static int sem_test(void) {
    sem_t semaphore;
    pthread_t thread;
    sem_init(&semaphore, 1, 0);
    if (pthread_create(&thread, NULL, post, &semaphore) != 0 || sem_wait(&semaphore) != 0) {
        return 0;
    }
    return pthread_join(thread, NULL) == 0;
}

__attribute__((constructor)) static void start(void) {
    (void)dive, (void)count_with_threads, (void)tell, (void)zero, (void)exit_thread, (void)fork_in_thread, (void)sem_test;
#ifdef START
    START;
#endif
}

static const char *name(void) {
    return NAME;
}

static int32_t initialize(void *given) {
    setup = given;
#ifdef INITIALIZE
    INITIALIZE;
#endif
    return 0;
}

static void play(const void *given, void *out) {
    const struct echo_turn *turn = given;
    struct echo_move *move = out;
    move->number = turn->number;
#ifdef PLAY
    PLAY;
#endif
}

static void finalize(void) {
#ifdef FINALIZE
    FINALIZE;
#endif
}

#define FIELD(type, field) {#type "." #field, offsetof(struct type, field), sizeof(((struct type *)0)->field)}

static const struct field fields[] = {
    FIELD(echo_setup, head), FIELD(echo_setup, count), {"echo_setup.values", offsetof(struct echo_setup, values) + SHIFT, 8},
    FIELD(echo_turn, head),  FIELD(echo_turn, number), FIELD(echo_turn, text),
    FIELD(echo_move, number),
};

#ifdef MARKER
uint32_t agon_header_included = 1;
#endif

const struct descriptor SYMBOL = {
    ABI, sizeof(struct descriptor), GAME, sizeof(struct echo_setup), sizeof(struct echo_turn), sizeof(struct echo_move),
    sizeof fields / sizeof *fields, fields, name, initialize, play, finalize,
};
