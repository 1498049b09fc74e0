// Imitates a library that Apache TVM exports: the symbols, the context variables, the calls back.
#include <stdint.h>
#include <stddef.h>

typedef struct { int32_t type; uint32_t padding; union { int64_t i; double f; void* p; char s[8]; } v; } Any;
typedef struct { int32_t type, id; } Device;
typedef struct { void* data; Device device; int32_t ndim; uint8_t code, bits; uint16_t lanes; int64_t* shape; int64_t* strides; uint64_t byte_offset; } Tensor;
typedef struct { void* sync_handle; int32_t num_task; } Env;

#define CONTEXT __attribute__((weak))
void* __tvm_ffi__library_ctx CONTEXT = NULL;
int (*__TVMFFIFunctionCall)(void*, Any*, int32_t, Any*) CONTEXT = NULL;
void (*__TVMFFIErrorSetRaisedFromCStr)(const char*, const char*) CONTEXT = NULL;
int (*__TVMFFIEnvModLookupFromImports)(void*, const char*, void**) CONTEXT = NULL;
int (*__TVMFFIHandleInitOnce)(void**, int (*)(void**)) CONTEXT = NULL;
void* (*__TVMBackendAllocWorkspace)(int, int, uint64_t, int, int) CONTEXT = NULL;
int (*__TVMBackendFreeWorkspace)(int, int, void*) CONTEXT = NULL;
int (*__TVMBackendParallelLaunch)(int (*)(int, Env*, void*), void*, int) CONTEXT = NULL;
int (*__TVMBackendParallelBarrier)(int, Env*) CONTEXT = NULL;

// Left to whoever loads the library.
void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t n);
int TVMBackendAnyListSetPackedArg(void* list, int index, Any* args, int offset);
int TVMBackendAnyListMoveFromPackedReturn(void* list, int index, Any* args, int offset);
int TVMBackendAnyListResetItem(void* list, int index);

#define PACKED(name) int __tvm_ffi_##name(void* self, const Any* args, int32_t n, Any* result)

static int fail(const char* kind, const char* a, const char* b, const char* c) {
  const char* parts[] = {a, b, NULL, c};
  TVMFFIErrorSetRaisedFromCStrParts(kind, parts, 4);
  return -1;
}

static Tensor* tensor(const Any* a) {
  if (a->type == 70) return (Tensor*)((char*)a->v.p + 24);
  if (a->type == 7 || a->type == 4 || a->type >= 64) return (Tensor*)a->v.p;
  return NULL;
}

PACKED(empty) { return 0; }

PACKED(add) {
  if (n != 3) return fail("TypeError", "Expected ", "3 arguments", " when calling add");
  for (int i = 0; i < 3; i++) {
    Tensor* t = tensor(args + i);
    if (t == NULL) return fail("TypeError", "Mismatched type on argument", ": ", "expected Tensor");
    if (t->ndim != 1) return fail("ValueError", "Mismatched ", "ndim", ": expected 1");
  }
  Tensor *a = tensor(args), *b = tensor(args + 1), *c = tensor(args + 2);
  if (((uintptr_t)a->data | (uintptr_t)b->data | (uintptr_t)c->data) % 64)
    return fail("ValueError", "misaligned", "", "");
  for (int64_t i = 0; i < c->shape[0]; i++)
    ((float*)c->data)[i] = ((float*)a->data)[i] + ((float*)b->data)[i];
  return 0;
}

// The 16 bytes of the first argument's cell, into a tensor of two int64.
PACKED(cell) {
  Tensor* out = tensor(args + 1);
  ((int64_t*)out->data)[0] = ((const int64_t*)args)[0];
  ((int64_t*)out->data)[1] = args[0].v.i;
  return 0;
}

// The characters of a string argument, summed.
PACKED(text) {
  int64_t sum = 0;
  for (const char* c = (const char*)args[0].v.p; *c; c++) sum = sum * 256 + (unsigned char)*c;
  result->type = 1;
  result->v.i = sum;
  return 0;
}

PACKED(small_string) {
  result->type = 11;
  result->padding = 3;
  for (int i = 0; i < 8; i++) result->v.s[i] = "abc\0\0\0\0"[i];
  return 0;
}

PACKED(half) {
  result->type = 3;
  result->v.f = (args[0].type == 3 ? args[0].v.f : (double)args[0].v.i) / 2;
  return 0;
}

static void* twice_handle;
static int twice_init(void** out) {
  return __TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "test.twice", out);
}
static int call_twice(int64_t x, Any* result) {
  if (__TVMFFIHandleInitOnce(&twice_handle, twice_init) != 0) return -1;
  Any arg = {1, 0, {.i = x}};
  return __TVMFFIFunctionCall(twice_handle, &arg, 1, result);
}
PACKED(call_by_name) { return call_twice(args[0].v.i, result); }

PACKED(call_missing) {
  void* handle;
  return __TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "test.nobody", &handle);
}

PACKED(call_argument) { return __TVMFFIFunctionCall(args[0].v.p, (Any*)args + 1, n - 1, result); }

// Calls test.tensor with a tensor of the stack: a view of the first argument, backwards;
// without data if there is a second argument.
static void* tensor_handle;
static int tensor_init(void** out) {
  return __TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "test.tensor", out);
}
PACKED(call_with_tensor) {
  Tensor t = *tensor(args);
  int64_t strides[1] = {-1};
  t.strides = strides;
  t.byte_offset = 4 * (t.shape[0] - 1);
  if (n > 1) t.data = NULL;
  if (__TVMFFIHandleInitOnce(&tensor_handle, tensor_init) != 0) return -1;
  Any arg[2] = {{7, 0, {.p = &t}}, {8, 0, {.p = (void*)"text"}}};
  Any out = {77, 99, {.i = -1}};
  int code = __TVMFFIFunctionCall(tensor_handle, arg, 2, &out);
  if (code == 0) *result = out;
  return code;
}

// The strides of the first argument, or -1 without, into a tensor of int64.
PACKED(strides) {
  Tensor *t = tensor(args), *out = tensor(args + 1);
  for (int i = 0; i < t->ndim; i++) ((int64_t*)out->data)[i] = t->strides ? t->strides[i] : -1;
  return 0;
}

PACKED(raise) {
  __TVMFFIErrorSetRaisedFromCStr("IndexError", "raised by name");
  return -1;
}
PACKED(silent) { return -1; }

// Each task adds its part, all meet, then each checks the whole.
typedef struct { int64_t parts[64]; int64_t seen[64]; int32_t bad; int32_t call_back; } Shared;
static int parallel_task(int task, Env* env, void* data) {
  Shared* shared = (Shared*)data;
  if (task == shared->bad) return fail("ValueError", "task ", "is ", "bad");
  if (shared->call_back) {
    Any out;
    if (call_twice(task + 1, &out) != 0) return -1;
    shared->parts[task] = out.v.i;
  } else {
    shared->parts[task] = task + 1;
  }
  if (__TVMBackendParallelBarrier(task, env) != 0) return -1;
  int64_t sum = 0;
  for (int i = 0; i < env->num_task; i++) sum += shared->parts[i];
  if (__TVMBackendParallelBarrier(task, env) != 0) return -1;
  shared->seen[task] = sum;
  return 0;
}
// parallel(tasks, bad, call_back): the sum that every task saw, or -1 when they differ.
PACKED(parallel) {
  Shared shared = {{0}, {0}, (int32_t)args[1].v.i, (int32_t)args[2].v.i};
  if (__TVMBackendParallelLaunch(parallel_task, &shared, (int)args[0].v.i) != 0) return -1;
  result->type = 1;
  result->v.i = shared.seen[0];
  for (int i = 1; i < 64; i++)
    if (shared.seen[i] != 0 && shared.seen[i] != shared.seen[0]) result->v.i = -1;
  return 0;
}
static int nested_task(int task, Env* env, void* data) {
  return __TVMBackendParallelLaunch(parallel_task, data, 0);
}
PACKED(nested) {
  Shared shared = {{0}, {0}, -1, 0};
  return __TVMBackendParallelLaunch(nested_task, &shared, 2);
}

// workspace(bytes): 1 when the memory is aligned and can be written.
PACKED(workspace) {
  uint64_t bytes = (uint64_t)args[0].v.i;
  char* a = __TVMBackendAllocWorkspace(1, 0, bytes, 2, 32);
  if (a == NULL) return -1;
  char* b = __TVMBackendAllocWorkspace(1, 0, bytes, 2, 32);
  if (b == NULL) return -1;
  for (uint64_t i = 0; i < bytes; i++) { a[i] = 1; b[i] = 2; }
  int64_t good = (uintptr_t)a % 64 == 0 && (uintptr_t)b % 64 == 0 && a != b && (bytes == 0 || a[bytes - 1] == 1);
  if (__TVMBackendFreeWorkspace(1, 0, b) != 0 || __TVMBackendFreeWorkspace(1, 0, a) != 0) return -1;
  result->type = 1;
  result->v.i = good;
  return 0;
}
PACKED(workspace_leak) {
  __TVMBackendAllocWorkspace(1, 0, 1 << 20, 2, 32);
  return fail("RuntimeError", "left ", "memory ", "behind");
}
PACKED(workspace_wrong_free) { return __TVMBackendFreeWorkspace(1, 0, result); }
PACKED(workspace_elsewhere) { return __TVMBackendAllocWorkspace(7, 0, 64, 2, 32) == NULL ? -1 : 0; }

static int64_t counter;
PACKED(count) {
  result->type = 1;
#ifdef TVM_TEST_NEWER
  counter += 99;
#endif
  result->v.i = ++counter;
  return 0;
}

#ifdef TVM_TEST_NEEDS
int TVM_TEST_NEEDS(void);
PACKED(needs) { return TVM_TEST_NEEDS(); }
#endif

// What external modules in C++ need: objects of errors, descriptions of types, traces of calls.
typedef struct { const char* data; size_t size; } Bytes;
typedef struct { uint64_t count; int32_t type; uint32_t padding; void* deleter; Bytes kind, message, backtrace; void *update, *cause, *context; } Error;
typedef struct TypeInfo { int32_t index, depth; Bytes key; const struct TypeInfo** ancestors; uint64_t hash; int32_t fields, methods; void *f, *m, *metadata; } TypeInfo;
void TVMFFIErrorSetRaised(void* error);
const Bytes* TVMFFIBacktrace(const char* file, int line, const char* function, int across);
const TypeInfo* TVMFFIGetTypeInfo(int32_t index);

PACKED(raise_object) {
  const Bytes* trace = TVMFFIBacktrace(__FILE__, __LINE__, "raise_object", 0);
  Error error = {0x100000001, 67, 0, NULL, {"IndexError", 10}, {"raised as an object, not all of it", 19}, *trace, NULL, NULL, NULL};
  TVMFFIErrorSetRaised(&error);
  return trace->size == 0 && trace->data[0] == 0 && error.count == 0x100000001 ? -1 : 0;
}

// type_info(index): its name, up to 7 characters.
PACKED(type_info) {
  const TypeInfo* info = TVMFFIGetTypeInfo((int32_t)args[0].v.i);
  result->type = 11;
  result->padding = info->key.size < 7 ? (uint32_t)info->key.size : 7;
  for (uint32_t i = 0; i < 8; i++) result->v.s[i] = i < result->padding ? info->key.data[i] : 0;
  return 0;
}

// The index of the type's one ancestor; -1 without.
PACKED(type_ancestor) {
  const TypeInfo* info = TVMFFIGetTypeInfo((int32_t)args[0].v.i);
  result->type = 1;
  result->v.i = info->depth == 1 ? info->ancestors[0]->index : -1 - info->depth;
  return 0;
}

#ifdef TVM_TEST_REGISTERS
// Announces a function that no symbol names, as builds for system libraries do.
int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* address);
static PACKED(hidden) {
  result->type = 1;
  result->v.i = 99;
  return 0;
}
__attribute__((constructor)) static void announce(void) {
  TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi_announced", (void*)__tvm_ffi_hidden);
  TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi__library_bin", (void*)"");
}
#endif

#ifdef TVM_TEST_HELPER
int relaxvm_helper(void);
PACKED(help) { return relaxvm_helper(); }
#endif

// A compiled VM function of one parameter: register 1 = add(register 0, constant 0) in a new
// tensor that test.allocate makes, then register 2 = register 1.
static void* allocate_handle;
static int allocate_init(void** out) {
  return __TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "test.allocate", out);
}
PACKED(__vmtir__main) {
  void *registers = args[1].v.p, *constants = args[2].v.p;
  Any cells[4] = {{0}};
  if (__TVMFFIHandleInitOnce(&allocate_handle, allocate_init) != 0) return -1;
  cells[0] = args[0];
  if (TVMBackendAnyListSetPackedArg(registers, 0, cells, 1) != 0) return -1;
  if (__TVMFFIFunctionCall(allocate_handle, cells, 2, cells + 3) != 0) return -1;
  if (TVMBackendAnyListMoveFromPackedReturn(registers, 2, cells, 3) != 0) return -1;
  if (TVMBackendAnyListSetPackedArg(registers, 0, cells, 0) != 0) return -1;
  if (TVMBackendAnyListSetPackedArg(constants, 0, cells, 1) != 0) return -1;
  if (TVMBackendAnyListSetPackedArg(registers, 2, cells, 2) != 0) return -1;
  Any out = {0};
  if (__tvm_ffi_add(NULL, cells, 3, &out) != 0) return -1;
  if (TVMBackendAnyListSetPackedArg(registers, 2, cells, 0) != 0) return -1;
  if (TVMBackendAnyListMoveFromPackedReturn(registers, 1, cells, 0) != 0) return -1;
  return TVMBackendAnyListResetItem(registers, 2);
}

#ifdef TVM_TEST_CONTAINER
__asm__(".section .rodata\n"
        ".globl __tvm_ffi__library_bin\n"
        ".type __tvm_ffi__library_bin, @object\n"
        "__tvm_ffi__library_bin:\n"
        ".incbin \"" TVM_TEST_CONTAINER "\"\n"
        ".size __tvm_ffi__library_bin, . - __tvm_ffi__library_bin\n"
        ".previous\n");
#endif
