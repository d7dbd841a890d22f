/* 6 qui prend! (6 nimmt!) for a client of agon, in C99 or C++17. The rules: docs/rules/six-qui-prend.md.
 * All integers are of fixed width and the structs have no padding. Reserved fields are zero: room for later versions. */
#ifndef AGON_SIX_QUI_PREND_H
#define AGON_SIX_QUI_PREND_H

#include "agon.h"

#define SIX_QUI_PREND_MAX_PLAYERS 10
#define SIX_QUI_PREND_MAX_HAND 10
#define SIX_QUI_PREND_ROWS 4
#define SIX_QUI_PREND_CAPACITY 5
#define SIX_QUI_PREND_MAX_CARD 104

/* six_qui_prend_setup.rules */
#define SIX_QUI_PREND_OFFICIAL 0
#define SIX_QUI_PREND_COURSE 1
#define SIX_QUI_PREND_COURSE_EXACT 2

/* six_qui_prend_setup.low_card: what happens to a card below the ends of all rows */
#define SIX_QUI_PREND_CHOOSES 0  /* its player is asked for a row to take */
#define SIX_QUI_PREND_CHEAPEST 1 /* its player takes the row with the fewest heads, the first of several; play is never asked for a row */

/* six_qui_prend_turn.kind: what play is asked for */
#define SIX_QUI_PREND_ASKS_CARD 0
#define SIX_QUI_PREND_ASKS_ROW 1

/* six_qui_prend_event.kind */
#define SIX_QUI_PREND_APPENDED 0 /* the card was put behind the row */
#define SIX_QUI_PREND_SIXTH 1    /* it was the sixth: its player took the five cards of the row, and it became the row */
#define SIX_QUI_PREND_TOO_LOW 2  /* it was below the end of the row: its player took the row, and it became the row */

/* six_qui_prend_move.row: the row with the fewest heads, the first of several */
#define SIX_QUI_PREND_CHEAPEST_ROW 0xFF

/* Given to initialize; yours until finalize. */
typedef struct six_qui_prend_setup {
    agon_setup head;
    uint8_t players;       /* how many play, 2 to 10; the same as head.seats */
    uint8_t hand_size;     /* cards dealt to each player in a round: 10, or 1 to 9 by option */
    uint8_t num_rows;      /* 4 */
    uint8_t row_capacity;  /* most cards in a row: 5 */
    uint8_t deck_max;      /* cards 1 to deck_max are shuffled: 104, or players * hand_size + 4 by option */
    uint8_t rules;         /* SIX_QUI_PREND_OFFICIAL, _COURSE or _COURSE_EXACT */
    uint8_t low_card;      /* SIX_QUI_PREND_CHOOSES or _CHEAPEST */
    uint8_t reserved0;     /* zero */
    uint16_t limit;        /* heads; the match is over after the round in which somebody has this many or more; 0 = one round */
    uint16_t reserved1[3]; /* zero */
    uint64_t reserved[2];  /* zero */
} six_qui_prend_setup;

/* A card that was placed. */
typedef struct six_qui_prend_event {
    uint16_t round;       /* from 1 */
    uint8_t turn;         /* of the round, from 1 */
    uint8_t kind;         /* SIX_QUI_PREND_APPENDED, _SIXTH or _TOO_LOW */
    uint8_t seat;         /* who played it, from 0 */
    uint8_t card;         /* 1 to 104 */
    uint8_t row;          /* where it lies, 0 to 3 */
    uint8_t num_taken;    /* cards that its player took, 0 to 5 */
    uint8_t taken[5];     /* these cards in the order of the row; 0 beyond num_taken */
    uint8_t heads;        /* heads on these cards, 0 to 27 */
    uint8_t reserved0[2]; /* zero */
} six_qui_prend_event;

/* Given to play; valid during the call. Everything but hand and pending is known to all players. */
typedef struct six_qui_prend_turn {
    agon_turn head;
    /* Cards placed since your last turn, in order; NULL if none. In the first turn of a later round they are the last ones of the
     * round before: see their field round. */
    const six_qui_prend_event *events;
    uint32_t num_events;      /* how many events there are, 0 to 10 */
    uint16_t round;           /* from 1 */
    uint8_t turn;             /* of this round, 1 to hand_size */
    uint8_t kind;             /* SIX_QUI_PREND_ASKS_CARD or _ASKS_ROW */
    uint8_t hand[10];         /* your cards, ascending; 0 beyond num_hand */
    uint8_t num_hand;         /* how many cards you hold, the pending one not counted */
    uint8_t pending;          /* when a row is asked for: your card that fits nowhere; else 0 */
    uint8_t row_size[4];      /* cards in each row, 1 to 5 */
    uint8_t rows[4][5];       /* cards of each row in order; 0 beyond row_size */
    uint8_t row_heads[4];     /* heads on the cards of each row */
    uint8_t revealed[10];     /* when a row is asked for: the card of each seat in this turn, placed or not; else 0 */
    uint8_t reserved0[6];     /* zero */
    uint16_t round_heads[10]; /* heads that each seat has taken in this round; 0 beyond players */
    uint16_t total_heads[10]; /* heads that each seat has taken in all rounds, this one included */
    uint64_t seen[2];         /* bit card % 64 of seen[card / 64]: the card has been shown to all in this round */
    uint64_t reserved[2];     /* zero */
} six_qui_prend_turn;

/* Returned by play. */
typedef struct six_qui_prend_move {
    uint8_t card; /* when a card is asked for: one of your hand; else 0 */
    uint8_t row;  /* when a row is asked for: 0 to 3 or SIX_QUI_PREND_CHEAPEST_ROW; else 0 */
} six_qui_prend_move;

/* Heads on a card: 55 has 7, other multiples of 11 have 5, of 10 have 3, of 5 have 2, all others 1. */
static inline int six_qui_prend_heads(int card) {
    return card == 55 ? 7 : card % 11 == 0 ? 5 : card % 10 == 0 ? 3 : card % 5 == 0 ? 2 : 1;
}

/* What a client defines, ended by the line AGON_CLIENT(six_qui_prend). */
AGON_BEGIN
const char *get_player_name(void);                       /* at most 32 bytes of UTF-8; must live on; asked once */
int initialize(const six_qui_prend_setup *setup);        /* 0 = ready */
six_qui_prend_move play(const six_qui_prend_turn *turn); /* your answer; an illegal one loses the match */
void finalize(void);
AGON_END

#define AGON_FIELDS_six_qui_prend(F) \
    F(six_qui_prend_setup, head) \
    F(six_qui_prend_setup, players) \
    F(six_qui_prend_setup, hand_size) \
    F(six_qui_prend_setup, num_rows) \
    F(six_qui_prend_setup, row_capacity) \
    F(six_qui_prend_setup, deck_max) \
    F(six_qui_prend_setup, rules) \
    F(six_qui_prend_setup, low_card) \
    F(six_qui_prend_setup, reserved0) \
    F(six_qui_prend_setup, limit) \
    F(six_qui_prend_setup, reserved1) \
    F(six_qui_prend_setup, reserved) \
    F(six_qui_prend_turn, head) \
    F(six_qui_prend_turn, events) \
    F(six_qui_prend_turn, num_events) \
    F(six_qui_prend_turn, round) \
    F(six_qui_prend_turn, turn) \
    F(six_qui_prend_turn, kind) \
    F(six_qui_prend_turn, hand) \
    F(six_qui_prend_turn, num_hand) \
    F(six_qui_prend_turn, pending) \
    F(six_qui_prend_turn, row_size) \
    F(six_qui_prend_turn, rows) \
    F(six_qui_prend_turn, row_heads) \
    F(six_qui_prend_turn, revealed) \
    F(six_qui_prend_turn, reserved0) \
    F(six_qui_prend_turn, round_heads) \
    F(six_qui_prend_turn, total_heads) \
    F(six_qui_prend_turn, seen) \
    F(six_qui_prend_turn, reserved) \
    F(six_qui_prend_move, card) \
    F(six_qui_prend_move, row)

#endif
