/* Was linked without a function that it never calls. */
#include "player.h"

double forgotten_evaluation(const unsigned *board);

char const *get_player_name(void) { return name("lazy"); }

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    begin(player_id, graph->num_vertices, num_queens, queens);
    read_rows(graph->t);
}

struct move_t play(struct move_t previous) {
    if (count > QUEENS)
        printf("%f\n", forgotten_evaluation(standing[0]));
    return answer(previous, 0);
}

void finalize(void) { end(); }
