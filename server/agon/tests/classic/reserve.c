/* Reserves 7 GB of addresses and uses some pages of them. */
#include "player.h"
#include <sys/mman.h>

static const size_t SEVEN_GB = 7000000000;
static char *arena;

char const *get_player_name(void) { return name("reserve"); }

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    begin(player_id, graph->num_vertices, num_queens, queens);
    read_rows(graph->t);
    arena = mmap(NULL, SEVEN_GB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    expect(arena != MAP_FAILED, "7 GB of addresses can be had");
}

struct move_t play(struct move_t previous) {
    memset(arena + (SEVEN_GB / 2 & ~4095UL), 1, 1 << 20);
    return answer(previous, 0);
}

void finalize(void) {
    munmap(arena, SEVEN_GB);
    end();
}
