/* What bad clients do, where it takes more than a line. */
#define UNUSED __attribute__((unused))

/* A null pointer of which the compiler does not know. */
UNUSED static int *volatile nowhere;
UNUSED static volatile int zero;

UNUSED static void spin(double seconds) {
    struct timespec now, began;
    clock_gettime(CLOCK_MONOTONIC, &began);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((double)(now.tv_sec - began.tv_sec) + (double)(now.tv_nsec - began.tv_nsec) / 1e9 < seconds);
}

UNUSED static void sleep_us(long us) {
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&time, NULL);
}

UNUSED static int recurse(int depth) {
    volatile char frame[1024];
    frame[depth % 1024] = (char)depth;
    return recurse(depth + 1) + frame[(depth + 1) % 1024];
}

UNUSED static void fill(void *(*more)(size_t)) {
    for (;;) {
        char *block = (char *)more(1 << 20);
        if (block) memset(block, 1, 1 << 20);
    }
}

UNUSED static void *map_private(size_t size) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

UNUSED static void *map_shared(size_t size) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

/* Memory that is neither resident here nor given back: whether any was had. */
UNUSED static int hoard(int advice) {
    for (int i = 0; i < 48; i++) {
        char *block = (char *)map_shared(1 << 20);
        if (block == NULL) return 0;
        for (int page = 0; page < 256; page++) block[page * 4096] = 1;
        madvise(block, 1 << 20, advice);
        if (block[4096] != 1) return 0;
    }
    return 1;
}

/* What can be mapped to share without a flag that says so. */
UNUSED static int map_zero_shared(void) {
    int file = open("/dev/zero", O_RDWR);
    if (file < 0) file = 0;
    return mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0) != MAP_FAILED ||
           mmap(NULL, 4096, PROT_READ, MAP_SHARED_VALIDATE, file, 0) != MAP_FAILED;
}

UNUSED static int swap_out(void) {
    char *block = (char *)map_private(1 << 20);
    memset(block, 1, 1 << 20);
    return madvise(block, 1 << 20, 21); /* MADV_PAGEOUT */
}

UNUSED static int end_thread(void *nothing) {
    syscall(SYS_exit, 0);
    return nothing != NULL;
}

/* A thread in a network of its own, which the kernel makes for root; a second process would be seen. 0 if there was one. */
UNUSED static int new_network(void) {
    static char stack[1 << 16];
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    return clone(end_thread, stack + sizeof stack, flags | CLONE_NEWNET, NULL) > 0 ? 0 : -1;
}

/* Whether a capability is left in any set. */
UNUSED static int capable_of_anything(void) {
    struct { uint32_t version; int process; } head = {0x20080522, 0};
    uint32_t sets[6] = {0};
    if (syscall(SYS_capget, &head, sets) != 0) return 0;
    for (int i = 0; i < 6; i++)
        if (sets[i]) return 1;
    for (int i = 0; i < 64; i++)
        if (prctl(PR_CAPBSET_READ, i, 0, 0, 0) == 1 && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0) return 1;
    return 0;
}

/* A file in memory is memory that no process is seen to use. Dies if it holds anything. */
UNUSED static void hide_memory(void) {
    static char block[1 << 20];
    int file = memfd_create("hidden", 0);
    if (file >= 0 && write(file, block, sizeof block) > 0) abort();
}

UNUSED static void fork_once(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
}

UNUSED static void exec_once(void) {
    static char program[] = "/bin/true";
    char *words[] = {program, NULL};
    execv(program, words);
}

/* With the sandbox off, asks whether it could. */
UNUSED static void kill_parent(void) {
#ifdef GENTLE
    kill(getppid(), 0);
#else
    kill(getppid(), SIGKILL);
#endif
}

/* A reply as the host would send it, on every descriptor that takes one. */
UNUSED static void forge_reply(uint32_t sequence, uint32_t kind, const void *body, uint32_t length) {
    uint32_t reply[16] = {sequence, kind, 0, length};
    memcpy(reply + 4, body, length);
    for (int fd = 3; fd < 256; fd++)
        if (write(fd, reply, sizeof reply) == 0) continue;
}

UNUSED static void forge_noise(void) {
    static const char noise[200] = "agon.crash\tnoise\n";
    for (int fd = 0; fd < 256; fd++)
        if (write(fd, noise, sizeof noise) == 0) continue;
}

UNUSED static void close_all(void) {
    for (int fd = 0; fd < 256; fd++) close(fd);
}

UNUSED static void *think_on(void *seconds) {
    spin(*(double *)seconds);
    return NULL;
}

UNUSED static void start_thread_for(double time) {
    static double seconds;
    pthread_t thread;
    seconds = time;
    if (pthread_create(&thread, NULL, think_on, &seconds) == 0) pthread_detach(thread);
}

UNUSED static void start_thread(void) {
    start_thread_for(0.5);
}

UNUSED static void *think_forever(void *none) {
    for (volatile int on = 1; on;) {}
    return none;
}

/* Never returns, in so many threads. */
UNUSED static void spin_in_threads(int threads) {
    pthread_t thread;
    while (--threads > 0)
        if (pthread_create(&thread, NULL, think_forever, NULL)) break;
    think_forever(NULL);
}

/* Returns after so many seconds, in which so many threads have spun. */
UNUSED static void spin_together(int threads, double seconds) {
    pthread_t started[64];
    int count = 0;
    while (count < threads && pthread_create(&started[count], NULL, think_on, &seconds) == 0) count++;
    while (count > 0) pthread_join(started[--count], NULL);
}

UNUSED static void *answer_early(void *move) {
    sleep_us(50000);
    forge_reply(6, 4, move, 12);
    return NULL;
}

/* Sends the answer to the next turn before it is asked. */
UNUSED static void start_answering_early(void *move) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer_early, move) == 0) pthread_detach(thread);
}

UNUSED static int rest(void *nothing) {
#ifdef SYS_pause
    for (;;) syscall(SYS_pause);
#else
    for (;;) syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
#endif
    return nothing != NULL;
}

/* Without the C library, which would take half a second for so many; then gives the server time to look. */
UNUSED static void start_threads(int threads) {
    static char stacks[3000][1024];
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    for (int i = 0; i < threads; i++) clone(rest, stacks[i] + sizeof stacks[i], flags, NULL);
    sleep_us(15000);
}

UNUSED static void *hold(void *mebibytes) {
    size_t size = (size_t)mebibytes << 20;
    sleep_us(20000);
    if (size) memset(map_private(size), 1, size);
    return (void *)(long)rest(NULL);
}

/* The main thread ends; another one goes on and holds so much. */
UNUSED static void lose_head(size_t mebibytes) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, hold, (void *)mebibytes) == 0) syscall(SYS_exit, 0);
}

UNUSED static void wait_for_ever(void) {
    for (;;) pause();
}

UNUSED static void *hold_later(void *mebibytes) {
    sleep_us(100000);
    return hold(mebibytes);
}

/* When the match is over, holds so much. */
UNUSED static void start_holding(size_t mebibytes) {
    pthread_t thread;
    pthread_create(&thread, NULL, hold_later, (void *)mebibytes);
}

UNUSED static void flood(void) {
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 64; i++)
        if (write(1, block, sizeof block) <= 0) break;
}

UNUSED static void block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
}

/* Overwrites a setup and all it leads to, again in every call: it keeps the pointers. */
UNUSED static void wreck(const amazons_setup *setup) {
    static amazons_setup kept;
    static size_t options;
    if (setup) kept = *setup, options = strlen(setup->head.options);
    memset(kept.row_start, 0xee, (kept.num_vertices + 1) * sizeof *kept.row_start);
    memset(kept.targets, 0xee, kept.num_edges * sizeof *kept.targets);
    memset(kept.directions, 0xee, kept.num_edges);
    for (int side = 0; side < 2; side++) memset(kept.queens[side], 0xee, kept.num_queens[side] * sizeof *kept.queens[side]);
    if (kept.blocked) memset(kept.blocked, 0xee, kept.num_blocked * sizeof *kept.blocked);
    if (kept.coordinates) memset(kept.coordinates, 0xee, kept.num_vertices * 2 * sizeof *kept.coordinates);
    memset((char *)kept.head.options, 0xee, options);
    if (setup) memset((void *)setup, 0xee, sizeof *setup);
}
