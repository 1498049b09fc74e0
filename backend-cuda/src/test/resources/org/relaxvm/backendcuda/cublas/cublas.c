// The functions of cuBLAS that are called, for memory of the host: products column by column.
// What starts with "imitation_" is for tests.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct handle { int64_t stream, workspace, bytes; int mode; };
#ifndef MAJOR
#define MAJOR 12
#endif
static int handles, products, ltProducts, plans, failure;
static int64_t workspace;
static void (*defer)(void* job, int64_t stream);

int imitation_handles(void) { return handles; }
int imitation_products(void) { return products; }
int64_t imitation_workspace(void) { return workspace; }
void imitation_fail(int status) { failure = status; }
// Products are not computed at once, but given to a function, with the stream.
void imitation_defer(void (*to)(void* job, int64_t stream)) { defer = to; products = ltProducts = plans = 0; }

int cublasCreate_v2(struct handle** h) {
  if (failure) return failure;
  *h = calloc(1, sizeof(struct handle));
  handles++;
  return *h ? 0 : 3;
}
int cublasDestroy_v2(struct handle* h) { handles--; free(h); return 0; }
int cublasGetProperty(int which, int* value) {
  if (which < 0 || which > 2) return 7;
  *value = which == 0 ? MAJOR : which == 1 ? 6 : 4;
  return 0;
}
int cublasSetStream_v2(struct handle* h, int64_t stream) { h->stream = stream; h->workspace = 0; return 0; }
int cublasSetWorkspace_v2(struct handle* h, int64_t place, int64_t bytes) {
  if (place % 256) return 7;
  h->workspace = place;
  h->bytes = bytes;
  return 0;
}
int cublasSetMathMode(struct handle* h, int mode) { h->mode = mode; return 0; }

struct job {
  int ta, tb, m, n, k, type, la, lb, lc, batch;
  int64_t sa, sb, sc;
  const char *a, *b;
  char* c;
  // Of a function of cublaslt.c: the elements of the bias, or null, and a cublasLtEpilogue_t.
  const char* bias;
  int epilogue;
};

static double get(int type, const char* at, int64_t i) {
  if (type == 0) return ((const float*)at)[i];
  if (type == 1) return ((const double*)at)[i];
  if (type == 2) return (double)((const _Float16*)at)[i];
  uint32_t bits = (uint32_t)((const uint16_t*)at)[i] << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

static void set(int type, char* at, int64_t i, double value) {
  if (type == 0) ((float*)at)[i] = (float)value;
  else if (type == 1) ((double*)at)[i] = value;
  else if (type == 2) ((_Float16*)at)[i] = (_Float16)(float)value;
  else {
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    ((uint16_t*)at)[i] = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
}

void imitation_run(struct job* j) {
  for (int64_t i = 0; i < j->batch; i++)
    for (int64_t x = 0; x < j->m; x++)
      for (int64_t y = 0; y < j->n; y++) {
        double sum = 0;
        for (int64_t z = 0; z < j->k; z++)
          sum += get(j->type, j->a, i * j->sa + (j->ta ? z + x * j->la : x + z * j->la))
              * get(j->type, j->b, i * j->sb + (j->tb ? y + z * j->lb : z + y * j->lb));
        if (j->epilogue & 4) sum += get(j->type, j->bias, x);
        if (j->epilogue & 2) sum = sum < 0 ? 0 : sum;
        if (j->epilogue & 32) sum = 0.5 * sum * (1 + tanh(0.7978845608028654 * (sum + 0.044715 * sum * sum * sum)));
        set(j->type, j->c, i * j->sc + x + y * j->lc, sum);
      }
}

static int submit(const struct job* job, int64_t stream) {
  // A recording may do it again at any time, so that nobody frees it.
  struct job* kept = malloc(sizeof(*job));
  *kept = *job;
  if (defer) defer(kept, stream);
  else imitation_run(kept);
  return 0;
}

int cublasGemmStridedBatchedEx(struct handle* h, int ta, int tb, int m, int n, int k, const void* alpha,
    const void* a, int typeA, int la, int64_t sa, const void* b, int typeB, int lb, int64_t sb, const void* beta,
    void* c, int typeC, int lc, int64_t sc, int batch, int compute, int algorithm) {
  if (failure) return failure;
  if (!h->stream || !h->workspace || h->mode != 16) return 1;
  if (typeA != typeB || typeA != typeC || algorithm != -1 || lc < m || la < (ta ? k : m) || lb < (tb ? n : k)) return 7;
  if (compute != (typeA == 1 ? 70 : 68) || (typeA > 2 && typeA != 14)) return 15;
  double one = typeA == 1 ? *(const double*)alpha : *(const float*)alpha;
  double zero = typeA == 1 ? *(const double*)beta : *(const float*)beta;
  if (one != 1 || zero != 0) return 7;
  struct job job = {ta, tb, m, n, k, typeA, la, lb, lc, batch, sa, sb, sc, a, b, c, 0, 1};
  products++;
  workspace = h->workspace;
  return submit(&job, h->stream);
}
