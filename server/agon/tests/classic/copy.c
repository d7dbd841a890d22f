/* Copies graph and queens, frees the originals at once and the copies at the end. */
#include "player.h"

static gsl_spmatrix_uint *copy;

char const *get_player_name(void) { return name("copy"); }

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    copy = gsl_spmatrix_uint_alloc_nzmax(graph->t->size1, graph->t->size2, graph->t->nz, CSR);
    gsl_spmatrix_uint_memcpy(copy, graph->t);
    begin(player_id, graph->num_vertices, num_queens, queens);
    gsl_spmatrix_uint_free(graph->t);
    free(graph);
    free(queens[0]);
    free(queens[1]);
    read_rows(copy);
}

struct move_t play(struct move_t previous) { return answer(previous, 1); }

void finalize(void) {
    gsl_spmatrix_uint_free(copy);
    end();
}
