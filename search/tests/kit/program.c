/* What the kit makes of positions, for the test beside it. Input: a board, then moves; output: a line a position, the start first.
 *
 *     board VACATED SIDE_TO_MOVE
 *     N row_start   N targets   N directions   N queens   N queens   N blocked     each list with its length
 *     N moves, three numbers each
 */
#include <agon/amazons_kit.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition);                  \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

#define LOOKED_AT 200u /* moves of a position that are applied and taken back */
#define FEW 10u        /* up to so many vertices, every triple is asked for its legality */

static amazons_board board, before;

static uint32_t number(void) {
    unsigned value;
    CHECK(scanf("%u", &value) == 1);
    return value;
}

/* A list with its length before it, in memory of exactly that size, so that a sanitizer sees a step beyond. */
static uint32_t *list(uint32_t *length) {
    uint32_t *values, i;
    *length = number();
    values = (uint32_t *)malloc(*length * sizeof *values);
    for (i = 0; i < *length; i++) values[i] = number();
    return values;
}

static amazons_move next_move(void) {
    amazons_move move;
    move.queen_src = number(), move.queen_dst = number(), move.arrow_dst = number();
    return move;
}

/* Every move is legal, listed once, and is taken back without a trace. Returns the sum of the hashes after the first of them. */
static uint64_t look_at(const amazons_move *moves, uint64_t count) {
    uint64_t sum = 0, i;
    before = board;
    for (i = 0; i < count && i < LOOKED_AT; i++) {
        CHECK(amazons_is_legal(&board, moves[i]));
        amazons_apply(&board, moves[i]);
        sum += board.hash;
        amazons_undo(&board, moves[i]);
        CHECK(memcmp(&board, &before, sizeof board) == 0);
    }
    return sum;
}

static uint64_t count_legal(void) {
    uint64_t legal = 0;
    amazons_move move;
    for (move.queen_src = 0; move.queen_src <= board.num_vertices; move.queen_src++)
        for (move.queen_dst = 0; move.queen_dst <= board.num_vertices; move.queen_dst++)
            for (move.arrow_dst = 0; move.arrow_dst <= board.num_vertices; move.arrow_dst++)
                legal += (uint64_t)amazons_is_legal(&board, move);
    move.queen_src = move.queen_dst = move.arrow_dst = UINT32_MAX;
    CHECK(!amazons_is_legal(&board, move));
    amazons_apply(&board, move);
    CHECK(board.hash == before.hash);
    return legal;
}

static void show(void) {
    uint64_t count = amazons_moves(&board, NULL, 0), sum, keys = 0, i;
    amazons_move *moves = (amazons_move *)malloc(count * sizeof *moves);
    amazons_terms t = amazons_measure(&board);
    CHECK(amazons_moves(&board, moves, count / 2) == count); /* room for half of them is room for half of them */
    CHECK(amazons_moves(&board, moves, count) == count);
    for (i = 0; i < count; i++)
        keys += amazons_key(((uint64_t)moves[i].queen_src << 40) + ((uint64_t)moves[i].queen_dst << 20) + moves[i].arrow_dst);
    sum = look_at(moves, count);
    if (board.num_vertices <= FEW) CHECK(count_legal() == count);
    printf("%016llx %llu %016llx %016llx", (unsigned long long)board.hash, (unsigned long long)count, (unsigned long long)keys,
           (unsigned long long)sum);
    printf(" %d %d %d %d %d %d %d", t.closer1, t.tied1, t.closer2, t.tied2, t.near1, t.near2, t.contested);
    printf(" %d %d %d\n", amazons_evaluate(&board), amazons_mobility(&board, 0), amazons_mobility(&board, 1));
    free(moves);
}

int main(void) {
    char word[8];
    while (scanf("%7s", word) == 1) {
        amazons_setup setup;
        uint32_t length, i, plies, *directions;
        memset(&setup, 0, sizeof setup);
        setup.vacated = number(), setup.side_to_move = number();
        setup.row_start = list(&length), setup.num_vertices = length - 1;
        setup.targets = list(&setup.num_edges);
        directions = list(&length);
        setup.directions = (uint8_t *)malloc(length);
        for (i = 0; i < length; i++) setup.directions[i] = (uint8_t)directions[i];
        setup.queens[0] = list(&setup.num_queens[0]), setup.queens[1] = list(&setup.num_queens[1]);
        setup.blocked = list(&setup.num_blocked);
        i = amazons_start(&board, &setup) != 0;
        free(setup.row_start), free(setup.targets), free(directions), free(setup.directions);
        free(setup.queens[0]), free(setup.queens[1]), free(setup.blocked);
        if (i) printf("declined\n");
        else show();
        for (plies = number(); plies--;) {
            amazons_apply(&board, next_move());
            show();
        }
    }
    return 0;
}
