/* Allocates by calloc and realloc, and lets what it was given grow and shrink. */
#include "player.h"

static struct move_t *history;
static unsigned played;
static struct graph_t *kept;
static unsigned *given[2];

char const *get_player_name(void) { return name("resize"); }

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    begin(player_id, graph->num_vertices, num_queens, queens);
    history = calloc(1, sizeof *history), played = 0;
    kept = realloc(graph, 4 * sizeof *graph);
    for (int s = 0; s < 2; s++)
        given[s] = realloc(queens[s], 4 * num_queens * sizeof **queens);
    gsl_spmatrix_uint *t = kept->t;
    t->i = realloc(t->i, 2 * t->nz * sizeof *t->i);
    t->data = realloc(t->data, 2 * t->nz * sizeof *t->data);
    t->nzmax = 2 * t->nz;
    read_rows(t);
}

struct move_t play(struct move_t previous) {
    struct move_t move = answer(previous, 1);
    history = realloc(history, (played + 2) * sizeof *history);
    history[played++] = move;
    return move;
}

void finalize(void) {
    free(history);
    free(kept->t->i), free(kept->t->data), free(kept->t->p), free(kept->t->work), free(kept->t);
    free(kept);
    free(given[0]), free(given[1]);
    end();
}
