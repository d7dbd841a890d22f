/* A client of 6 qui prend that gives away all it can read: at its first turn it writes its whole memory, and every file it can
 * open, to its standard output, in hexadecimal. Then it plays its lowest card. With HONEST it only plays; all tell their own seeds. */
#define _GNU_SOURCE
#include <agon/six_qui_prend.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096ul
#define GAP 1024    /* so many pages without memory end a region */
#define REGIONS 32

extern char **environ;
static const six_qui_prend_setup *setup;
static uintptr_t seen[REGIONS][2];
static int regions;

static void write_all(const char *text, size_t size) {
    while (size > 0) {
        ssize_t written = write(1, text, size);
        if (written <= 0) return;
        text += written, size -= (size_t)written;
    }
}

static void tell_hex(const uint8_t *bytes, size_t size) {
    static char text[2 * PAGE + 1];
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    text[2 * size] = '\n';
    write_all(text, 2 * size + 1);
}

/* The kernel reads a signal mask before it finds that the operation has no meaning. */
static int readable(uintptr_t page) {
    return syscall(SYS_rt_sigprocmask, 1 << 20, page, NULL, 8) == -1 && errno != EFAULT;
}

static uintptr_t edge(uintptr_t page, long step) {
    uintptr_t last = page;
    for (int missing = 0; missing < GAP && page > 16 * PAGE && page < (1ul << 47) - PAGE; page += (uintptr_t)step) {
        missing = readable(page) ? 0 : missing + 1;
        if (!missing) last = page;
    }
    return last;
}

static void tell_around(const void *address) {
    static const uint8_t nothing[PAGE];
    uintptr_t page = (uintptr_t)address & ~(PAGE - 1);
    for (int i = 0; i < regions; i++)
        if (page >= seen[i][0] && page <= seen[i][1]) return;
    if (regions == REGIONS || !readable(page)) return;
    uintptr_t first = edge(page, -(long)PAGE), last = edge(page, PAGE);
    seen[regions][0] = first, seen[regions++][1] = last;
    for (page = first; page <= last; page += PAGE)
        if (readable(page) && memcmp((const void *)page, nothing, PAGE)) tell_hex((const uint8_t *)page, PAGE);
}

static void tell_file(const char *path) {
    static uint8_t block[PAGE];
    int file = open(path, O_RDONLY);
    if (file < 0) return;
    char line[600];
    int size = snprintf(line, sizeof line, "file:%s\n", path);
    write_all(line, (size_t)size);
    ssize_t got;
    while ((got = read(file, block, sizeof block)) > 0) tell_hex(block, (size_t)got);
    close(file);
}

static void tell_files(void) {
    static const char *const of_process[] = {"maps", "mem", "environ", "cmdline", "status", "fd/0", "fd/3", "fd/5", "fd/10"};
    char path[600];
    for (size_t i = 0; i < sizeof of_process / sizeof *of_process; i++) {
        snprintf(path, sizeof path, "/proc/self/%s", of_process[i]), tell_file(path);
        snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), of_process[i]), tell_file(path);
    }
    Dl_info me;
    if (dladdr((void *)tell_files, &me)) tell_file(me.dli_fname);
    char option[400];
    for (int i = 0; i < 10; i++) { /* paths that the test knows to hold secrets */
        char key[8];
        snprintf(key, sizeof key, "path%d", i);
        if (agon_option(&setup->head, key, option, sizeof option)) tell_file(option);
    }
}

const char *get_player_name(void) { return "spy"; }

int initialize(const six_qui_prend_setup *given) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)given->head.seed);
    setup = given;
    agon_log("seed", text);
    return 0;
}

six_qui_prend_move play(const six_qui_prend_turn *turn) {
#ifndef HONEST
    if (turn->head.ply == 0) {
        void *heap = malloc(24);
        const void *starts[] = {&heap, heap, sbrk(0), (char *)sbrk(0) - 1, setup, turn, setup->head.services, setup->head.options,
                                (const void *)setup->head.services->log, (const void *)&write, (const void *)&play, environ,
                                *environ, stdout, dlsym(RTLD_DEFAULT, "_dl_debug_state"), __builtin_return_address(0)};
        tell_files();
        write_all("memory:\n", 8);
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) tell_around(starts[i]);
    }
#endif
    six_qui_prend_move move;
    memset(&move, 0, sizeof move);
    if (turn->kind == SIX_QUI_PREND_ASKS_ROW) move.row = SIX_QUI_PREND_CHEAPEST_ROW;
    else move.card = turn->hand[0];
    return move;
}

void finalize(void) {}

AGON_CLIENT(six_qui_prend)
