/* Takes the edges to every arrow out of the matrix that it was given, in place, and gives the room back by realloc. */
#include "player.h"

static gsl_spmatrix_uint *t;

char const *get_player_name(void) { return name("shrink"); }

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    begin(player_id, graph->num_vertices, num_queens, queens);
    t = graph->t;
    free(graph);
    free(queens[0]);
    free(queens[1]);
}

static void remove_vertex(int gone) {
    int kept = 0, first = 0;
    for (size_t row = 0; row < t->size1; row++) {
        int last = t->p[row + 1];
        for (int k = first; k < last; k++)
            if (t->i[k] != gone && row != (size_t)gone)
                t->i[kept] = t->i[k], t->data[kept++] = t->data[k];
        first = last;
        t->p[row + 1] = kept;
    }
    t->nz = t->nzmax = kept;
    t->i = realloc(t->i, (kept + 1) * sizeof *t->i);
    t->data = realloc(t->data, (kept + 1) * sizeof *t->data);
}

struct move_t play(struct move_t previous) {
    if (previous.arrow_dst != UINT_MAX)
        remove_vertex(previous.arrow_dst);
    memset(next, -1, sizeof next);
    read_rows(t);
    struct move_t move = answer(previous, 3);
    if (move.arrow_dst != UINT_MAX)
        remove_vertex(move.arrow_dst);
    return move;
}

void finalize(void) {
    gsl_spmatrix_uint_free(t);
    end();
}
