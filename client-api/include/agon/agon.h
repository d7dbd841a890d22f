/* agon.h: what all games share between a client and whoever calls it. C99 or C++17, 64-bit Linux, no library needed.
 *
 * Include the header of your game (<agon/amazons.h>), which includes this one, write four functions, and end the file
 * with AGON_CLIENT(amazons). The contract in full: docs/reference/abi.md. Times are microseconds, sizes are bytes, text is UTF-8
 * ended by NUL. All structs are laid out by their fixed-width fields alone, without padding.
 *
 *     const char  *get_player_name(void);                    at most 32 bytes; asked once, after initialize
 *     int          initialize(const amazons_setup *setup);   0 = ready, anything else = I decline this match
 *     amazons_move play(const amazons_turn *turn);           your move
 *     void         finalize(void);                           the match is over for you
 */
#ifndef AGON_AGON_H
#define AGON_AGON_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The version of the contract. A client compiled with it plays on every later agon, or is refused by name. */
#define AGON_ABI_VERSION 1u

#ifdef __cplusplus
#define AGON_BEGIN extern "C" {
#define AGON_END }
#define AGON_NOEXCEPT noexcept
#else
#define AGON_BEGIN
#define AGON_END
#define AGON_NOEXCEPT
#endif

/* Seen from outside even with -fvisibility=hidden; and shared by all files of one library but seen by nobody else. */
#define AGON_EXPORT __attribute__((visibility("default")))
#define AGON_SHARED __attribute__((weak, visibility("hidden")))

AGON_BEGIN

/* The contract is defined for 64-bit machines. */
typedef char agon_needs_a_64_bit_machine[sizeof(void *) == 8 ? 1 : -1];

/* Functions that the caller offers. Use agon_cpu_us, agon_log and agon_data below rather than these pointers. */
typedef struct agon_services {
    uint64_t size;                                        /* bytes of this struct: later versions only append            */
    uint64_t (*cpu_us)(void);                             /* time used in the running call, on the clock that judges you */
    void (*log)(const char *key, const char *value);      /* keeps key and value with the ply; both are copied           */
    const void *(*data)(const char *name, uint64_t *size); /* a file that the ladder gives you, by its name              */
} agon_services;

/* Values of agon_setup.clock. */
#define AGON_CLOCK_CPU 0u  /* processor time of your process, all threads together */
#define AGON_CLOCK_WALL 1u /* time that passes                                      */

/* The head of every game's setup. The setup and all it points to belong to you from initialize until finalize returns:
 * read it, write on it, never free it. Times are microseconds, and 0 means "no such limit". */
typedef struct agon_setup {
    uint32_t size;                 /* bytes of the whole setup struct, this head included            */
    uint32_t abi;                  /* AGON_ABI_VERSION of the caller                                 */
    uint32_t seat;                 /* your seat, from 0                                              */
    uint32_t seats;                /* how many seats play                                            */
    uint64_t seed;                 /* for your own random choices; says nothing about the game's     */
    uint64_t memory;               /* resident memory you may use, bytes                             */
    uint32_t threads;              /* processor cores you may use                                    */
    uint32_t clock;                /* which clock judges you: AGON_CLOCK_CPU or AGON_CLOCK_WALL      */
    uint64_t total_us;             /* budget for all calls of play together                          */
    uint64_t increment_us;         /* added to the budget after each call of play                    */
    uint64_t per_move_us;          /* limit of a single call of play                                 */
    uint64_t initialize_us;        /* limit of initialize                                            */
    uint64_t finalize_us;          /* limit of finalize                                              */
    const char *options;           /* lines "key = value", ended by NUL: read them with agon_option  */
    const agon_services *services; /* never NULL when initialize is called                           */
    uint64_t reserved[4];          /* read by agon_period                                            */
} agon_setup;

/* The head of every game's turn. The turn and all it points to belong to the caller and are valid during the call of
 * play only: copy what you keep, write nothing. */
typedef struct agon_turn {
    uint32_t size;          /* bytes of the whole turn struct, this head included                                  */
    uint32_t ply;           /* turns played so far in this match, by all seats                                     */
    uint64_t cpu_left_us;   /* processor time left for this call; UINT64_MAX where it is not limited               */
    uint64_t wall_left_us;  /* wall time left for this call before it is stopped                                   */
    uint64_t total_left_us; /* budget left for this and all later calls, on the judging clock; UINT64_MAX for none */
    uint64_t reserved[2];   /* read by agon_moves_left                                                             */
} agon_turn;

/* Not 0: total_us is given again after so many of your moves, and after so many again; what you have left you keep. */
static inline uint64_t agon_period(const agon_setup *setup) {
    return setup->reserved[0];
}

/* Not 0: total_left_us is for so many of your moves, this one among them; then total_us is given again. */
static inline uint64_t agon_moves_left(const agon_turn *turn) {
    return turn->reserved[0];
}

/* One field of a struct, as your compiler laid it out. */
typedef struct agon_field {
    const char *name; /* "amazons_setup.num_vertices"   */
    uint32_t offset;  /* bytes from the struct's start  */
    uint32_t size;    /* bytes                          */
} agon_field;

/* What AGON_CLIENT exports, under the name agon_client. It and all it points to are constant and live as long as the
 * library. The first two fields keep their place in every version. */
typedef struct agon_descriptor {
    uint32_t abi;             /* AGON_ABI_VERSION the client was compiled with            */
    uint32_t size;            /* bytes of this struct                                     */
    const char *game;         /* "amazons"                                                */
    uint32_t setup_size;      /* bytes of the game's setup struct                         */
    uint32_t turn_size;       /* bytes of the game's turn struct                          */
    uint32_t move_size;       /* bytes of the game's move struct, at most 16              */
    uint32_t num_fields;      /* how many entries fields has                              */
    const agon_field *fields; /* every field of both heads, the setup, the turn, the move */
    const char *(*name)(void);
    int32_t (*initialize)(void *setup);
    void (*play)(const void *turn, void *move);
    void (*finalize)(void);
} agon_descriptor;

/* A trace in every library that includes this header, so that a forgotten AGON_CLIENT is told as such. */
extern AGON_EXPORT __attribute__((weak)) uint32_t agon_header_included;
__attribute__((weak, visibility("default"), used)) uint32_t agon_header_included = AGON_ABI_VERSION;

/* The services of the running match: one variable a library, NULL before initialize. */
extern AGON_SHARED const agon_services *agon_running_services;
AGON_SHARED const agon_services *agon_running_services = NULL;

/* Microseconds used in the running call, on the clock that judges you; 0 before initialize. */
static inline uint64_t agon_cpu_us(void) {
    return agon_running_services ? agon_running_services->cpu_us() : 0;
}

/* Keeps a key and a value with the ply, in the record of the match. Does nothing before initialize.
 * The keys value, depth, line, nodes and calls are reserved for what they say. Both texts are copied, and long ones cut. */
static inline void agon_log(const char *key, const char *value) {
    if (agon_running_services && key && value) {
        agon_running_services->log(key, value);
    }
}

/* agon_log of a number. */
static inline void agon_log_number(const char *key, long long number) {
    char text[24];
    char *at = text + sizeof text - 1;
    unsigned long long rest = number < 0 ? 0ULL - (unsigned long long)number : (unsigned long long)number;
    *at = '\0';
    do {
        *--at = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest != 0);
    if (number < 0) {
        *--at = '-';
    }
    agon_log(key, at);
}

/* The bytes of a file that the ladder gives you by data = ["FILE"] in your [[client]], and how many there are; NULL if it
 * gives none of this name, which is the file's without its folder, or before initialize. They are read only, live as long
 * as your process, start at a multiple of 4096, and do not count towards your memory.
 *
 *     size_t size;
 *     const unsigned char *book = (const unsigned char *)agon_data("openings.book", &size);
 */
static inline const void *agon_data(const char *name, size_t *size) {
    uint64_t bytes = 0;
    const void *data = NULL;
    /* An agon from before there was data says so by the size of its services. */
    if (agon_running_services && agon_running_services->size >= sizeof(agon_services) && name) {
        data = agon_running_services->data(name, &bytes);
    }
    if (size) {
        *size = (size_t)bytes;
    }
    return data;
}

/* Copies the value of one of your options into value[size], ended by NUL and cut to fit, and returns value;
 * NULL if the option is not given. Blanks around key and value do not count.
 *
 *     char text[16];
 *     int depth = agon_option(&setup->head, "depth", text, sizeof text) ? atoi(text) : 2;
 */
static inline char *agon_option(const agon_setup *setup, const char *key, char *value, size_t size) {
    const char *line = setup->options;
    size_t key_length = strlen(key);
    while (line && *line) {
        size_t length = strcspn(line, "\n");
        const char *end = line + length;
        const char *at = line + strspn(line, " \t");
        if (strncmp(at, key, key_length) == 0) {
            at += key_length;
            at += strspn(at, " \t");
            if (*at == '=' && at < end && size > 0) {
                at += 1 + strspn(at + 1, " \t");
                while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) {
                    end--;
                }
                length = end > at ? (size_t)(end - at) : 0;
                length = length < size ? length : size - 1;
                memcpy(value, at, length);
                value[length] = '\0';
                return value;
            }
        }
        line += length;
        line += *line == '\n';
    }
    return NULL;
}

AGON_END

/* The fields that all games share: F(struct, field) for each. The header of a game has AGON_FIELDS_<game> likewise. */
#define AGON_FIELDS_agon(F)                                                                                            \
    F(agon_setup, size) F(agon_setup, abi) F(agon_setup, seat) F(agon_setup, seats) F(agon_setup, seed)                \
    F(agon_setup, memory) F(agon_setup, threads) F(agon_setup, clock) F(agon_setup, total_us)                          \
    F(agon_setup, increment_us) F(agon_setup, per_move_us) F(agon_setup, initialize_us) F(agon_setup, finalize_us)     \
    F(agon_setup, options) F(agon_setup, services) F(agon_setup, reserved)                                             \
    F(agon_turn, size) F(agon_turn, ply) F(agon_turn, cpu_left_us) F(agon_turn, wall_left_us)                          \
    F(agon_turn, total_left_us) F(agon_turn, reserved)

#define AGON_FIELD(type, field) {#type "." #field, (uint32_t)offsetof(type, field), (uint32_t)sizeof(((type *)0)->field)},

/* Makes this library a client of a game: write it once, after the four functions, in the file that has them.
 * An exception that escapes one of them ends the process, which counts as a crash. */
#define AGON_CLIENT(game)                                                                                              \
    AGON_BEGIN                                                                                                         \
    static const char *agon_call_name(void) AGON_NOEXCEPT { return get_player_name(); }                                \
    static int32_t agon_call_initialize(void *setup) AGON_NOEXCEPT {                                                   \
        agon_running_services = ((const game##_setup *)setup)->head.services;                                          \
        return (int32_t)initialize((game##_setup *)setup);                                                             \
    }                                                                                                                  \
    static void agon_call_play(const void *turn, void *move) AGON_NOEXCEPT {                                           \
        *(game##_move *)move = play((const game##_turn *)turn);                                                        \
    }                                                                                                                  \
    static void agon_call_finalize(void) AGON_NOEXCEPT { finalize(); }                                                 \
    static const agon_field agon_fields[] = {AGON_FIELDS_agon(AGON_FIELD) AGON_FIELDS_##game(AGON_FIELD)};             \
    extern AGON_EXPORT const agon_descriptor agon_client;                                                              \
    const agon_descriptor agon_client = {                                                                              \
        AGON_ABI_VERSION,                                                                                              \
        (uint32_t)sizeof(agon_descriptor),                                                                             \
        #game,                                                                                                         \
        (uint32_t)sizeof(game##_setup),                                                                                \
        (uint32_t)sizeof(game##_turn),                                                                                 \
        (uint32_t)sizeof(game##_move),                                                                                 \
        (uint32_t)(sizeof agon_fields / sizeof agon_fields[0]),                                                        \
        agon_fields,                                                                                                   \
        agon_call_name,                                                                                                \
        agon_call_initialize,                                                                                          \
        agon_call_play,                                                                                                \
        agon_call_finalize,                                                                                            \
    };                                                                                                                 \
    AGON_END

#endif
