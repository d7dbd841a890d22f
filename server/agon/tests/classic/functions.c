/* Calls all eleven functions of GSL that the course used and prints what they do: functions.txt is what GSL 2.7.1 does. */
#include "player.h"

char const *get_player_name(void) { return name("functions"); }

static void show(const char *what, const gsl_spmatrix_uint *m) {
    printf("%s: %s %zux%zu, %zu of %zu, flags %zu |", what, gsl_spmatrix_uint_type(m), m->size1, m->size2, m->nz, m->nzmax, m->spflags);
    for (size_t k = 0; k < m->nz; k++)
        printf(" %d:%u", m->i[k], m->data[k]);
    printf(" |");
    size_t starts = m->sptype == COO ? m->nz : 1 + (m->sptype == CSC ? m->size2 : m->size1);
    for (size_t k = 0; k < starts && m->nz; k++)
        printf(" %d", m->p[k]);
    puts("");
}

static void try_all(void) {
    gsl_spmatrix_uint *empty = gsl_spmatrix_uint_alloc(4, 5), *coo = gsl_spmatrix_uint_alloc_nzmax(3, 4, 2, COO);
    show("alloc", empty);
    show("alloc_nzmax", coo);
    const unsigned set[][3] = {{2, 1, 7}, {0, 3, 1}, {0, 0, 2}, {0, 3, 9}, {1, 1, 0}, {1, 0, 5}, {2, 3, 6}};
    for (size_t k = 0; k < sizeof set / sizeof *set; k++)
        gsl_spmatrix_uint_set(coo, set[k][0], set[k][1], set[k][2]);
    gsl_spmatrix_uint_set(coo, 0, 0, 0);
    coo->nzmax = coo->nzmax < 6 ? coo->nzmax : 6; /* how far the room grows is nobody's business */
    show("set", coo);
    gsl_spmatrix_uint *csr = gsl_spmatrix_uint_compress(coo, CSR), *csc = gsl_spmatrix_uint_compress(coo, CSC);
    show("compress", csr);
    show("compress", csc);
    gsl_spmatrix_uint *copy = gsl_spmatrix_uint_alloc_nzmax(3, 4, 1, CSR), *again = gsl_spmatrix_uint_alloc_nzmax(3, 4, 1, CSR);
    printf("memcpy: %d\n", gsl_spmatrix_uint_memcpy(copy, csr));
    printf("csr: %d\n", gsl_spmatrix_uint_csr(again, coo));
    show("memcpy", copy);
    show("csr", again);
    const gsl_spmatrix_uint *all[] = {coo, csr, csc};
    for (int m = 0; m < 3; m++) {
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 4; j++) {
                unsigned *place = gsl_spmatrix_uint_ptr(all[m], i, j);
                printf(" %u%s", gsl_spmatrix_uint_get(all[m], i, j), place ? "" : "-");
            }
        puts("");
        gsl_spmatrix_uint_fprintf(stdout, all[m], "%u");
    }
    *gsl_spmatrix_uint_ptr(csr, 0, 3) = 8;
    printf("ptr: %u\n", gsl_spmatrix_uint_get(csr, 0, 3));
    gsl_spmatrix_uint_free(empty), gsl_spmatrix_uint_free(coo), gsl_spmatrix_uint_free(csr), gsl_spmatrix_uint_free(csc);
    gsl_spmatrix_uint_free(copy), gsl_spmatrix_uint_free(again);
}

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    begin(player_id, graph->num_vertices, num_queens, queens);
    read_rows(graph->t);
    try_all();
}

struct move_t play(struct move_t previous) { return answer(previous, 0); }

void finalize(void) { end(); }
