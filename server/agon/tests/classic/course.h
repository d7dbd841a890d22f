/* What a client of the original course saw: the four functions and the layout of the graph, declared here without GSL's headers. */
#ifndef COURSE_H
#define COURSE_H

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t size1, size2;
    int *i;
    unsigned *data;
    int *p;
    size_t nzmax, nz;
    void *tree, *pool;
    size_t node_size;
    void *work;
    int sptype;
    size_t spflags;
} gsl_spmatrix_uint;

struct graph_t {
    unsigned num_vertices;
    gsl_spmatrix_uint *t;
};

struct move_t {
    unsigned queen_src, queen_dst, arrow_dst;
};

enum { COO, CSC, CSR };

gsl_spmatrix_uint *gsl_spmatrix_uint_alloc(size_t n1, size_t n2);
gsl_spmatrix_uint *gsl_spmatrix_uint_alloc_nzmax(size_t n1, size_t n2, size_t nzmax, int sptype);
gsl_spmatrix_uint *gsl_spmatrix_uint_compress(const gsl_spmatrix_uint *m, int sptype);
int gsl_spmatrix_uint_csr(gsl_spmatrix_uint *dest, const gsl_spmatrix_uint *src);
int gsl_spmatrix_uint_fprintf(FILE *stream, const gsl_spmatrix_uint *m, const char *format);
void gsl_spmatrix_uint_free(gsl_spmatrix_uint *m);
unsigned gsl_spmatrix_uint_get(const gsl_spmatrix_uint *m, size_t i, size_t j);
int gsl_spmatrix_uint_memcpy(gsl_spmatrix_uint *dest, const gsl_spmatrix_uint *src);
unsigned *gsl_spmatrix_uint_ptr(const gsl_spmatrix_uint *m, size_t i, size_t j);
int gsl_spmatrix_uint_set(gsl_spmatrix_uint *m, size_t i, size_t j, unsigned x);
const char *gsl_spmatrix_uint_type(const gsl_spmatrix_uint *m);

char const *get_player_name(void);
void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]);
struct move_t play(struct move_t previous);
void finalize(void);

#endif
