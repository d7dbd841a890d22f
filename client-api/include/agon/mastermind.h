/* Mastermind for a client of agon, in C99 or C++17. The rules: docs/rules/mastermind.md.
 * All integers are of fixed width and the structs have no padding. Reserved fields are zero: room for later versions. */
#ifndef AGON_MASTERMIND_H
#define AGON_MASTERMIND_H

#include "agon.h"

#define MASTERMIND_MAX_PEGS 12
#define MASTERMIND_MAX_VALUES 20
#define MASTERMIND_MAX_TRIES 100

/* mastermind_setup.role */
#define MASTERMIND_BREAKER 0 /* guesses */
#define MASTERMIND_MAKER 1   /* hides a secret or answers guesses */

/* mastermind_setup.maker: who makes the secret */
#define MASTERMIND_SERVER 0   /* the server hides it and answers; all seats are breakers and race, none sees another */
#define MASTERMIND_CLIENT 1   /* seat 0 hides it when it is first asked, and the server answers; seat 1 guesses */
#define MASTERMIND_ADAPTIVE 2 /* seat 0 answers each guess of seat 1, as long as some code agrees with all answers */

/* mastermind_turn.kind: what play is asked for */
#define MASTERMIND_ASKS_GUESS 0
#define MASTERMIND_ASKS_SECRET 1
#define MASTERMIND_ASKS_REPLY 2

/* Given to initialize; yours until finalize. */
typedef struct mastermind_setup {
    agon_setup head;
    uint8_t pegs;         /* values in a code, 1 to 12 */
    uint8_t values;       /* a value is 0 to values - 1; 2 to 20 */
    uint8_t tries;        /* most guesses, 1 to 100 */
    uint8_t role;         /* MASTERMIND_BREAKER or _MAKER */
    uint8_t maker;        /* MASTERMIND_SERVER, _CLIENT or _ADAPTIVE */
    uint8_t reserved0[3]; /* zero */
    uint64_t reserved[2]; /* zero */
} mastermind_setup;

/* A guess that was answered. */
typedef struct mastermind_try {
    uint8_t v[12];        /* the guess; 0 beyond pegs */
    uint8_t rr;           /* reply: values at the right place, 0 to pegs */
    uint8_t rw;           /* reply: right values at a wrong place, 0 to pegs - rr */
    uint8_t reserved0[2]; /* zero */
} mastermind_try;

/* Given to play; valid during the call. */
typedef struct mastermind_turn {
    agon_turn head;
    /* All guesses that were answered so far, in order, NULL if none. A breaker's are its own; a maker's are its opponent's. */
    const mastermind_try *history;
    uint32_t num_history; /* how many there are, 0 to tries - 1 */
    uint8_t kind;         /* MASTERMIND_ASKS_GUESS, _ASKS_SECRET or _ASKS_REPLY */
    uint8_t reserved0[3]; /* zero */
    uint8_t guess[12];    /* when a reply is asked for: the guess to answer, 0 beyond pegs; else 0 */
    uint8_t reserved1[4]; /* zero */
    uint64_t reserved[2]; /* zero */
} mastermind_turn;

/* Returned by play. What is not asked for is 0: begin with a zeroed struct, or use the two functions below. */
typedef struct mastermind_move {
    uint8_t v[12];     /* the guess or the secret; 0 beyond pegs, and 0 in a reply */
    uint8_t n;         /* how many values v has: pegs; 0 in a reply */
    uint8_t rr;        /* in a reply: values at the right place; else 0 */
    uint8_t rw;        /* in a reply: right values at a wrong place; else 0 */
    uint8_t reserved0; /* zero */
} mastermind_move;

/* The move that is a guess or a secret of so many values. */
static inline mastermind_move mastermind_code(const uint8_t *values, int pegs) {
    mastermind_move move;
    int i;
    memset(&move, 0, sizeof move);
    for (i = 0; i < pegs && i < MASTERMIND_MAX_PEGS; i++) {
        move.v[i] = values[i];
    }
    move.n = (uint8_t)pegs;
    return move;
}

/* The move that is the true reply of a secret to a guess. Its rr and rw also tell whether a code agrees with a reply. */
static inline mastermind_move mastermind_reply(const uint8_t *secret, const uint8_t *guess, int pegs) {
    mastermind_move move;
    int surplus[256] = {0};
    int differ = 0, missing = 0, i;
    memset(&move, 0, sizeof move);
    for (i = 0; i < pegs; i++) {
        differ += secret[i] != guess[i];
        surplus[secret[i]]++;
        surplus[guess[i]]--;
    }
    for (i = 0; i < 256; i++) {
        missing += surplus[i] > 0 ? surplus[i] : 0;
    }
    move.rr = (uint8_t)(pegs - differ);
    move.rw = (uint8_t)(differ - missing);
    return move;
}

/* What a client defines, ended by the line AGON_CLIENT(mastermind). */
AGON_BEGIN
const char *get_player_name(void);                 /* at most 32 bytes of UTF-8; must live on; asked once */
int initialize(const mastermind_setup *setup);     /* 0 = ready */
mastermind_move play(const mastermind_turn *turn); /* your answer; an illegal one loses the match */
void finalize(void);
AGON_END

#define AGON_FIELDS_mastermind(F) \
    F(mastermind_setup, head) \
    F(mastermind_setup, pegs) \
    F(mastermind_setup, values) \
    F(mastermind_setup, tries) \
    F(mastermind_setup, role) \
    F(mastermind_setup, maker) \
    F(mastermind_setup, reserved0) \
    F(mastermind_setup, reserved) \
    F(mastermind_turn, head) \
    F(mastermind_turn, history) \
    F(mastermind_turn, num_history) \
    F(mastermind_turn, kind) \
    F(mastermind_turn, reserved0) \
    F(mastermind_turn, guess) \
    F(mastermind_turn, reserved1) \
    F(mastermind_turn, reserved) \
    F(mastermind_move, v) \
    F(mastermind_move, n) \
    F(mastermind_move, rr) \
    F(mastermind_move, rw) \
    F(mastermind_move, reserved0)

#endif
