// Kernels of int64 in the calling convention of Apache TVM 0.7 to 0.20, and the modules of a library.
#include <stdint.h>

typedef union { int64_t i; double f; void* p; } Value;
typedef struct { void* data; int32_t device[2]; int32_t ndim; uint8_t code, bits; uint16_t lanes; int64_t* shape; int64_t* strides; uint64_t byte_offset; } Tensor;

__attribute__((weak)) void* __tvm_module_ctx = 0;
__attribute__((weak)) void (*__TVMAPISetLastError)(const char*) = 0;

#define KERNEL(name) int32_t name(Value* args, int32_t* codes, int32_t n, Value* ret, int32_t* ret_code, void* resource)

static int64_t count(const Tensor* t) {
  int64_t elements = 1;
  for (int i = 0; i < t->ndim; i++) elements *= t->shape[i];
  return elements;
}

static int64_t* data(Value* args, int i) { return (int64_t*)((Tensor*)args[i].p)->data; }

#define BINARY(name, operator) \
  KERNEL(name) { \
    int64_t scalar = count((Tensor*)args[1].p) == 1; \
    for (int64_t i = 0; i < count((Tensor*)args[2].p); i++) \
      data(args, 2)[i] = data(args, 0)[i] operator data(args, 1)[scalar ? 0 : i]; \
    return 0; \
  }

BINARY(add, +)
BINARY(mul, *)
BINARY(sub, -)

KERNEL(is_zero) {
  Tensor* out = (Tensor*)args[1].p;
  if (out->code != 1 || out->bits != 1) {
    __TVMAPISetLastError("is_zero: dtype is expected to be bool");
    return -1;
  }
  *(uint8_t*)out->data = data(args, 0)[0] == 0;
  return 0;
}

KERNEL(sum_all) {
  for (int64_t i = 0; i < count((Tensor*)args[n - 1].p); i++) {
    int64_t sum = 0;
    for (int k = 0; k < n - 1; k++) sum += data(args, k)[count((Tensor*)args[k].p) == 1 ? 0 : i];
    data(args, n - 1)[i] = sum;
  }
  return 0;
}

#ifdef MODULES
__asm__(".section .rodata\n.globl __tvm_dev_mblob\n.type __tvm_dev_mblob, %object\n.balign 8\n__tvm_dev_mblob:\n.incbin \"" MODULES "\"\n.Lend:\n.size __tvm_dev_mblob, .Lend - __tvm_dev_mblob\n.previous\n");
#endif
