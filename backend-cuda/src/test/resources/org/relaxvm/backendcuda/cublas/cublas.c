// The functions of cuBLAS that are called, for memory of the host: products column by column.
#include <stdint.h>
#include <stdlib.h>
struct handle { int64_t stream, workspace, bytes; int mode; };
int cublasCreate_v2(struct handle** h) { *h = calloc(1, sizeof(struct handle)); return *h ? 0 : 3; }
int cublasDestroy_v2(struct handle* h) { free(h); return 0; }
int cublasGetVersion_v2(struct handle* h, int* version) { *version = 120604; return 0; }
int cublasSetStream_v2(struct handle* h, int64_t stream) { h->stream = stream; h->workspace = 0; return 0; }
int cublasSetWorkspace_v2(struct handle* h, int64_t place, int64_t bytes) { if (place % 256) return 7; h->workspace = place; h->bytes = bytes; return 0; }
int cublasSetMathMode(struct handle* h, int mode) { h->mode = mode; return 0; }
#define MULTIPLY(T) \
  for (int64_t i = 0; i < batch; i++) for (int64_t x = 0; x < m; x++) for (int64_t y = 0; y < n; y++) { \
    T sum = 0; \
    for (int64_t z = 0; z < k; z++) \
      sum += ((const T*)a)[i * sa + (ta ? z + x * la : x + z * la)] * ((const T*)b)[i * sb + (tb ? y + z * lb : z + y * lb)]; \
    ((T*)c)[i * sc + x + y * lc] = *(const T*)alpha * sum + (*(const T*)beta == 0 ? 0 : *(const T*)beta * ((T*)c)[i * sc + x + y * lc]); \
  }
int cublasGemmStridedBatchedEx(struct handle* h, int ta, int tb, int m, int n, int k, const void* alpha,
    const void* a, int typeA, int la, int64_t sa, const void* b, int typeB, int lb, int64_t sb, const void* beta,
    void* c, int typeC, int lc, int64_t sc, int batch, int compute, int algorithm) {
  if (h->stream != 77 || !h->workspace || h->mode != 16) return 1;
  if (typeA != typeB || typeA != typeC || algorithm != -1 || lc < m || la < (ta ? k : m) || lb < (tb ? n : k)) return 7;
  if (typeA == 0 && compute == 68) { MULTIPLY(float) return 0; }
  if (typeA == 1 && compute == 70) { MULTIPLY(double) return 0; }
  return 15;
}
