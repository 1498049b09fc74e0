// Imitates a library that Apache TVM 0.20 or older exported: symbols without a prefix, arguments as
// values and type codes, the context variables of that time.
#include <stdint.h>
#include <stddef.h>

typedef union { int64_t i; double f; void* p; const char* s; uint8_t type[8]; int32_t device[2]; } Value;
typedef struct { int32_t type, id; } Device;
typedef struct { void* data; Device device; int32_t ndim; uint8_t code, bits; uint16_t lanes; int64_t* shape; int64_t* strides; uint64_t byte_offset; } Tensor;
typedef struct { void* sync_handle; int32_t num_task; } Env;
typedef struct { const char* data; size_t size; } Bytes;

enum { INT, UINT, FLOAT, HANDLE, NOTHING, TYPE, DEVICE, TENSOR_POINTER, OBJECT, MODULE, FUNCTION, STRING, BYTES, TENSOR };

#define CONTEXT __attribute__((weak))
void* __tvm_module_ctx CONTEXT = NULL;
int (*__TVMFuncCall)(void*, Value*, int32_t*, int32_t, Value*, int32_t*) CONTEXT = NULL;
void (*__TVMAPISetLastError)(const char*) CONTEXT = NULL;
int (*__TVMBackendGetFuncFromEnv)(void*, const char*, void**) CONTEXT = NULL;
void* (*__TVMBackendAllocWorkspace)(int, int, uint64_t, int, int) CONTEXT = NULL;
int (*__TVMBackendFreeWorkspace)(int, int, void*) CONTEXT = NULL;
int (*__TVMBackendParallelLaunch)(int (*)(int, Env*, void*), void*, int) CONTEXT = NULL;
int (*__TVMBackendParallelBarrier)(int, Env*) CONTEXT = NULL;

#define PACKED(name) int name(Value* args, int32_t* codes, int32_t n, Value* ret, int32_t* ret_code, void* resource)

static int fail(const char* text) {
  __TVMAPISetLastError(text);
  return -1;
}

static Tensor* tensor(const Value* args, const int32_t* codes, int i) {
  return codes[i] == TENSOR_POINTER || codes[i] == TENSOR || codes[i] == HANDLE ? (Tensor*)args[i].p : NULL;
}

static int result_int(Value* ret, int32_t* ret_code, int64_t value) {
  ret->i = value;
  *ret_code = INT;
  return 0;
}

PACKED(add) {
  if (n != 3) return fail("Assert fail: num_args == 3, add: num_args should be 3");
  for (int i = 0; i < 3; i++) {
    Tensor* t = tensor(args, codes, i);
    if (t == NULL) return fail("TypeError: add: expected a tensor");
    if (t->ndim != 1) return fail("ValueError: add: ndim should be 1");
    if (t->strides != NULL && t->strides[0] != 1) return fail("ValueError: add: expected to be compact array");
  }
  if (resource != NULL) return fail("a resource");
  Tensor *a = tensor(args, codes, 0), *b = tensor(args, codes, 1), *c = tensor(args, codes, 2);
  for (int64_t i = 0; i < c->shape[0]; i++)
    ((float*)c->data)[i] = ((float*)a->data)[i] + ((float*)b->data)[i];
  return 0;
}

// Those releases had no boolean type.
PACKED(invert) {
  for (int i = 0; i < 2; i++) {
    Tensor* t = tensor(args, codes, i);
    if (t == NULL || t->code != UINT || t->bits != 1 || t->lanes != 1)
      return fail("ValueError: invert: dtype is expected to be bool");
  }
  Tensor *a = tensor(args, codes, 0), *b = tensor(args, codes, 1);
  for (int64_t i = 0; i < b->shape[0]; i++) ((uint8_t*)b->data)[i] = !((uint8_t*)a->data)[i];
  return 0;
}

// A function of 0.6, which takes three parameters.
int scale(Value* args, int32_t* codes, int32_t n) {
  Tensor* t = tensor(args, codes, 0);
  for (int64_t i = 0; i < t->shape[0]; i++) ((float*)t->data)[i] *= (float)args[1].f;
  return 0;
}

// The type code and the word of the first argument, into a tensor of two int64.
PACKED(value) {
  int64_t* out = (int64_t*)tensor(args, codes, 1)->data;
  out[0] = codes[0];
  out[1] = args[0].i;
  return 0;
}

// The characters of a string or of bytes, as a number.
PACKED(text) {
  int64_t sum = 0;
  if (codes[0] == STRING) {
    for (const char* c = args[0].s; *c; c++) sum = sum * 256 + (unsigned char)*c;
  } else if (codes[0] == BYTES) {
    const Bytes* bytes = (const Bytes*)args[0].p;
    for (size_t i = 0; i < bytes->size; i++) sum = sum * 256 + (unsigned char)bytes->data[i];
  } else {
    return fail("TypeError: text: expected a string");
  }
  return result_int(ret, ret_code, sum);
}

// results(kind): a result of each kind.
PACKED(results) {
  static char data[] = "by\0tes";
  static Bytes bytes = {data, 6};
  static int64_t shape[1] = {2};
  static float __attribute__((aligned(64))) elements[2] = {1, 2};
  static Tensor made = {elements, {1, 0}, 1, 2, 32, 1, shape, NULL, 0};
  *ret_code = (int32_t)args[0].i;
  switch (*ret_code) {
    case INT: case UINT: ret->i = -7; return 0;
    case FLOAT: ret->f = 2.5; return 0;
    case HANDLE: ret->p = (void*)0x12345678; return 0;
    case NOTHING: ret->p = (void*)1; return 0;
    case TYPE: ret->i = 0; ret->type[0] = 2; ret->type[1] = 32; ret->type[2] = 1; return 0;
    case DEVICE: ret->device[0] = 1; ret->device[1] = 3; return 0;
    case TENSOR_POINTER: case TENSOR: ret->p = &made; return 0;
    case STRING: ret->s = "a string"; return 0;
    case BYTES: ret->p = &bytes; return 0;
    case 15: ret->i = 1; return 0;
    default: ret->p = &made; return 0;
  }
}

// The first argument, as it came.
PACKED(same) {
  *ret = args[0];
  *ret_code = codes[0];
  return 0;
}

static void* twice_handle;
static int call_twice(int64_t x, Value* ret, int32_t* ret_code) {
  if (twice_handle == NULL && __TVMBackendGetFuncFromEnv(__tvm_module_ctx, "test.twice", &twice_handle) != 0) return -1;
  Value arg = {.i = x};
  int32_t code = INT;
  return __TVMFuncCall(twice_handle, &arg, &code, 1, ret, ret_code);
}
PACKED(call_by_name) { return call_twice(args[0].i, ret, ret_code); }

PACKED(call_missing) {
  void* handle;
  return __TVMBackendGetFuncFromEnv(__tvm_module_ctx, "test.nobody", &handle);
}

// Calls the first argument with the others.
PACKED(call_argument) { return __TVMFuncCall(args[0].p, args + 1, codes + 1, n - 1, ret, ret_code); }

// Calls the first argument with a value of the type code in the second one.
PACKED(call_with) {
  Value arg;
  arg.p = (void*)0x1000;
  int32_t code = (int32_t)args[1].i;
  return __TVMFuncCall(args[0].p, &arg, &code, 1, ret, ret_code);
}

// Calls the first argument with every kind of value: the second argument, a tensor, backwards and as
// an object, and a string, a number, a data type, a device, bytes and nothing.
PACKED(call_with_all) {
  Tensor t = *tensor(args, codes, 1);
  int64_t strides[1] = {-1};
  t.strides = strides;
  t.byte_offset = 4 * (t.shape[0] - 1);
  Bytes bytes = {"\1\2", 2};
  Value values[9] = {{.p = &t}, {.p = &t}, {.s = "text"}, {.i = -3}, {.f = 0.5}, {.i = 0x12002}, {.device = {1, 0}}, {.p = &bytes}, {.p = NULL}};
  int32_t types[9] = {TENSOR_POINTER, TENSOR, STRING, INT, FLOAT, TYPE, DEVICE, BYTES, NOTHING};
  return __TVMFuncCall(args[0].p, values, types, 9, ret, ret_code);
}

// The string that the first argument returns, as a number.
PACKED(string_of_call) {
  Value out;
  int32_t code;
  if (__TVMFuncCall(args[0].p, args + 1, codes + 1, n - 1, &out, &code) != 0) return -1;
  return text(&out, &code, 1, ret, ret_code, NULL);
}

// Adds the first argument's result, a tensor, to itself.
PACKED(add_result) {
  Value values[3];
  int32_t types[3];
  if (__TVMFuncCall(args[0].p, args + 1, codes + 1, n - 2, values, types) != 0) return -1;
  values[1] = values[0];
  types[1] = types[0];
  values[2] = args[n - 1];
  types[2] = codes[n - 1];
  return add(values, types, 3, ret, ret_code, NULL);
}

PACKED(silent) { return -1; }

typedef struct { int64_t parts[64]; int64_t seen[64]; int32_t bad; int32_t call_back; } Shared;
static int parallel_task(int task, Env* env, void* data) {
  Shared* shared = (Shared*)data;
  if (task == shared->bad) return fail("ValueError: task is bad");
  if (shared->call_back) {
    Value out;
    int32_t code;
    if (call_twice(task + 1, &out, &code) != 0) return -1;
    shared->parts[task] = out.i;
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
  Shared shared = {{0}, {0}, (int32_t)args[1].i, (int32_t)args[2].i};
  if (__TVMBackendParallelLaunch(parallel_task, &shared, (int)args[0].i) != 0) return -1;
  int64_t seen = shared.seen[0];
  for (int i = 1; i < 64; i++)
    if (shared.seen[i] != 0 && shared.seen[i] != seen) seen = -1;
  return result_int(ret, ret_code, seen);
}

// workspace(bytes): 1 when the memory is aligned and can be written.
PACKED(workspace) {
  uint64_t bytes = (uint64_t)args[0].i;
  char* a = __TVMBackendAllocWorkspace(1, 0, bytes, 2, 32);
  if (a == NULL) return -1;
  char* b = __TVMBackendAllocWorkspace(1, 0, bytes, 2, 32);
  if (b == NULL) return -1;
  for (uint64_t i = 0; i < bytes; i++) { a[i] = 1; b[i] = 2; }
  int64_t good = (uintptr_t)a % 64 == 0 && (uintptr_t)b % 64 == 0 && a != b && (bytes == 0 || a[bytes - 1] == 1);
  if (__TVMBackendFreeWorkspace(1, 0, b) != 0 || __TVMBackendFreeWorkspace(1, 0, a) != 0) return -1;
  return result_int(ret, ret_code, good);
}

#ifdef TVM_TEST_COMPILED
PACKED(__vmtir__main) { return 0; }
#endif

#ifdef TVM_TEST_REGISTERS
// Announces a function that no symbol names, as builds for system libraries do.
int TVMBackendRegisterSystemLibSymbol(const char* name, void* address);
static PACKED(hidden) { return result_int(ret, ret_code, 99); }
static int registered;
__attribute__((constructor)) static void announce(void) {
  registered = TVMBackendRegisterSystemLibSymbol("announced", (void*)hidden);
}
PACKED(announcement) { return result_int(ret, ret_code, registered); }
PACKED(announce_late) { return TVMBackendRegisterSystemLibSymbol("late", (void*)hidden); }
#endif

#ifdef TVM_TEST_CONTAINER
__asm__(".section .rodata\n"
        ".globl __tvm_dev_mblob\n"
        ".type __tvm_dev_mblob, @object\n"
        "__tvm_dev_mblob:\n"
        ".incbin \"" TVM_TEST_CONTAINER "\"\n"
        ".size __tvm_dev_mblob, . - __tvm_dev_mblob\n"
        ".previous\n");
#endif
