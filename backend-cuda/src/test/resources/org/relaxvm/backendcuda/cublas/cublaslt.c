// The functions of cuBLASLt that are called, behind those of cublas.c. Objects that are not destroyed are counted, and
// what an algorithm was chosen for has to be what it is used for.
static int objects;

int imitation_ltProducts(void) { return ltProducts; }
int imitation_plans(void) { return plans; }
int imitation_objects(void) { return objects; }

struct description { int compute, scale, ta, tb; uint32_t epilogue; const char* bias; };
struct layout { int type; uint64_t rows, columns; int64_t line; int batch; int64_t step; };
struct preference { uint64_t workspace; uint32_t schemes, alignments[4]; };
struct result { uint64_t algorithm[8]; size_t workspace; int state; float waves; int reserved[4]; };

static int create(void** place, size_t bytes) {
  *place = calloc(1, bytes);
  objects++;
  return *place ? 0 : 3;
}
static int destroy(void* object) { objects--; free(object); return 0; }

int cublasLtGetProperty(int which, int* value) { return cublasGetProperty(which, value); }
int cublasLtCreate(void** handle) { return failure ? failure : create(handle, 8); }
int cublasLtDestroy(void* handle) { return destroy(handle); }
int cublasLtMatmulDescCreate(struct description** d, int compute, int scale) {
  int status = create((void**)d, sizeof(**d));
  if (!status) **d = (struct description){compute, scale, 0, 0, 1, 0};
  return status;
}
int cublasLtMatmulDescDestroy(struct description* d) { return destroy(d); }
int cublasLtMatmulDescSetAttribute(struct description* d, int which, const void* value, size_t bytes) {
  if (bytes != (which == 8 ? 8 : 4)) return 7;
  if (which == 3) d->ta = *(const int*)value;
  else if (which == 4) d->tb = *(const int*)value;
  else if (which == 7) d->epilogue = *(const uint32_t*)value;
  else if (which == 8) d->bias = *(const char* const*)value;
  else return 7;
  return 0;
}
int cublasLtMatrixLayoutCreate(struct layout** l, int type, uint64_t rows, uint64_t columns, int64_t line) {
  int status = create((void**)l, sizeof(**l));
  if (!status) **l = (struct layout){type, rows, columns, line, 1, 0};
  return status;
}
int cublasLtMatrixLayoutDestroy(struct layout* l) { return destroy(l); }
int cublasLtMatrixLayoutSetAttribute(struct layout* l, int which, const void* value, size_t bytes) {
  if (which == 5 && bytes == 4) l->batch = *(const int*)value;
  else if (which == 6 && bytes == 8) l->step = *(const int64_t*)value;
  else return 7;
  return 0;
}
int cublasLtMatmulPreferenceCreate(struct preference** p) { return create((void**)p, sizeof(**p)); }
int cublasLtMatmulPreferenceDestroy(struct preference* p) { return destroy(p); }
int cublasLtMatmulPreferenceSetAttribute(struct preference* p, int which, const void* value, size_t bytes) {
  if (bytes != (which == 1 ? 8 : 4)) return 7;
  if (which == 1) p->workspace = *(const uint64_t*)value;
  else if (which == 3) p->schemes = *(const uint32_t*)value;
  else if (which >= 5 && which <= 8) p->alignments[which - 5] = *(const uint32_t*)value;
  else return 7;
  return 0;
}

// An algorithm: what it was chosen for.
struct chosen { uint64_t workspace; uint32_t alignments[4]; uint32_t epilogue; int rows, columns; };

int cublasLtMatmulAlgoGetHeuristic(void* handle, const struct description* d, const struct layout* a,
    const struct layout* b, const struct layout* c, const struct layout* out, const struct preference* p, int most,
    struct result* results, int* count) {
  *count = 0;
  if (failure) return failure;
  plans++;
  if (!handle || most < 1 || p->schemes != 2 || a->batch != b->batch || a->batch != out->batch || c != out) return 7;
  // Nobody has an algorithm for 4096 columns.
  if (out->rows == 4096) return 0;
  struct chosen chosen = {p->workspace, {0}, d->epilogue, (int)out->rows, (int)out->columns};
  memcpy(chosen.alignments, p->alignments, sizeof(p->alignments));
  memset(results, 0, sizeof(*results));
  memcpy(results->algorithm, &chosen, sizeof(chosen));
  results->workspace = p->workspace;
  *count = 1;
  return 0;
}

int cublasLtMatmul(void* handle, const struct description* d, const void* alpha, const char* a, const struct layout* la,
    const char* b, const struct layout* lb, const void* beta, const char* c, const struct layout* lc, char* out,
    const struct layout* lout, const struct chosen* chosen, int64_t place, size_t bytes, int64_t stream) {
  if (failure) return failure;
  if (!handle || !stream || !place || place % 256 || bytes < chosen->workspace || c != out || lc != lout) return 1;
  int type = la->type;
  if (type != lb->type || type != lout->type || d->compute != (type == 1 ? 70 : 68) || d->scale != (type == 1)) return 15;
  const char* places[4] = {a, b, c, out};
  for (int i = 0; i < 4; i++) {
    if (!chosen->alignments[i] || (uintptr_t)places[i] % chosen->alignments[i]) return 7;
  }
  uint64_t k = d->ta ? la->rows : la->columns;
  if (chosen->epilogue != d->epilogue || chosen->rows != (int)lout->rows || chosen->columns != (int)lout->columns
      || (d->ta ? la->columns : la->rows) != lout->rows || (d->tb ? lb->rows : lb->columns) != lout->columns
      || (d->tb ? lb->columns : lb->rows) != k) return 7;
  double one = type == 1 ? *(const double*)alpha : *(const float*)alpha;
  double zero = type == 1 ? *(const double*)beta : *(const float*)beta;
  if (one != 1 || zero != 0) return 7;
  struct job job = {d->ta, d->tb, (int)lout->rows, (int)lout->columns, (int)k, type, (int)la->line, (int)lb->line,
      (int)lout->line, la->batch, la->step, lb->step, lout->step, a, b, out, d->bias, (int)d->epilogue};
  ltProducts++;
  workspace = place;
  return submit(&job, stream);
}
