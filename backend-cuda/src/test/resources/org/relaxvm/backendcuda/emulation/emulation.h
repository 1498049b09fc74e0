// The part of CUDA that programs use, for a CPU: threads of a block are fibers of one thread, which run one after the
// other up to the next barrier. Blocks run one after the other. What does not depend on a program is in emulation.cpp,
// which is compiled once.
#pragma once
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <ucontext.h>
#include <utility>

// What generated code asks for: that of the emulated devices.
#define __CUDA_ARCH__ 890

// CUDA's names for what all programs see.
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __launch_bounds__(...)
#define __shared__ static thread_local
#define alignas(n) __attribute__((aligned(n)))
#define __align__(n) __attribute__((aligned(n)))

struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; };

#define RV_VECTOR2(type, name) \
  struct alignas(2 * sizeof(type)) name##2 { type x, y; }; \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; }
#define RV_VECTOR4(type, name) \
  struct alignas(sizeof(type) > 4 ? 16 : 4 * sizeof(type)) name##4 { type x, y, z, w; }; \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
#define RV_VECTORS(type, name) RV_VECTOR2(type, name) RV_VECTOR4(type, name)
RV_VECTORS(float, float)
RV_VECTORS(double, double)
RV_VECTORS(signed char, char)
RV_VECTORS(unsigned char, uchar)
RV_VECTORS(short, short)
RV_VECTORS(unsigned short, ushort)
RV_VECTORS(int, int)
RV_VECTORS(unsigned, uint)
RV_VECTORS(long long, longlong)
RV_VECTORS(unsigned long long, ulonglong)

namespace emulation {

constexpr int WARP = 32;
constexpr size_t STACK = 256 * 1024;

// The state of a fiber.
enum class At { READY, BLOCK, WARP, DONE };

// A copy that is made later: some bytes of the source, followed by zeros.
struct Copy {
  void* target;
  const void* source;
  int some;
  int bytes;
};

struct Fiber {
  uint3 thread;
  At at;
  // The lanes of its warp that it exchanges with.
  uint32_t mask;
  bool started;
  jmp_buf here;
  ucontext_t first;
  char* stack;
  // Asynchronous copies.
  struct Copies* copies;
};

// A block that runs, of which each thread of the host has one at most.
struct Block {
  dim3 grid, size;
  uint3 index;
  Fiber* fibers;
  int count;
  Fiber* current;
  jmp_buf scheduler;
  void (*body)(void*);
  void* arguments;
  char* dynamic_shared;
  // Values that lanes exchange: a slot for each lane.
  uint64_t slots[1024 * 8];
};

inline thread_local Block* block = nullptr;

inline int number() { return (int)(block->current - block->fibers); }
inline int lane() { return number() % WARP; }

[[noreturn]] void broken(const char* what);

// Suspends the fiber at a barrier, until all that it waits for have reached it.
void meet(At at, uint32_t mask = 0xffffffffu);

// Asynchronous copies of the fiber that runs; they are made when they are waited for.
void begin_copy(const Copy& copy);
void commit_copies();
void wait_for_copies(size_t left);

struct Size { int grid[3]; int block[3]; int shared; };

// Calls a body once for each thread of each block; `meets` says whether threads of a block have barriers.
void run_all(void (*body)(void*), void* arguments, const Size& size, bool meets);

// Offsets of adjacent arguments, each aligned to its own size.
template <class... P>
struct Offsets {
  size_t at[sizeof...(P) + 1];
  constexpr Offsets() : at{} {
    const size_t sizes[] = {sizeof(P)..., 0}, alignments[] = {alignof(P)..., 1};
    size_t next = 0;
    for (size_t i = 0; i < sizeof...(P); i++) {
      at[i] = (next + alignments[i] - 1) / alignments[i] * alignments[i];
      next = at[i] + sizes[i];
    }
  }
};

template <class... P, size_t... I>
void call(void (*kernel)(P...), const char* arguments, std::index_sequence<I...>) {
  constexpr Offsets<P...> offsets;
  kernel(*(const P*)(arguments + offsets.at[I])...);
}

template <class... P>
void launch(void (*kernel)(P...), const char* arguments, const Size& size, bool meets) {
  struct Call {
    void (*kernel)(P...);
    const char* arguments;
  };
  Call given{kernel, arguments};
  run_all(
      [](void* made) {
        Call* own = (Call*)made;
        call(own->kernel, own->arguments, std::index_sequence_for<P...>());
      },
      &given,
      size,
      meets);
}

// What a lane has, for all lanes of its warp; several words a lane.
template <int WORDS>
inline void exchange(const uint32_t (&mine)[WORDS], uint32_t (&all)[WARP][WORDS]) {
  int warp = number() / WARP * WARP;
  for (int w = 0; w < WORDS; w++) {
    block->slots[(warp + lane()) * 8 + w] = mine[w];
  }
  meet(At::WARP);
  for (int l = 0; l < WARP; l++)
    for (int w = 0; w < WORDS; w++) {
      all[l][w] = (uint32_t)block->slots[(warp + l) * 8 + w];
    }
  meet(At::WARP);
}

template <class T>
inline T shuffle(uint32_t mask, T value, int from) {
  int warp = number() / WARP * WARP;
  uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  block->slots[(warp + lane()) * 8] = word;
  meet(At::WARP, mask);
  if (from < 0 || from >= WARP) {
    from = lane();
  }
  word = block->slots[(warp + from) * 8];
  T other;
  std::memcpy(&other, &word, sizeof(T));
  meet(At::WARP, mask);
  return other;
}

}  // namespace emulation

#define threadIdx (emulation::block->current->thread)
#define blockIdx (emulation::block->index)
#define blockDim (emulation::block->size)
#define gridDim (emulation::block->grid)
#define warpSize 32

static inline void __syncthreads() { emulation::meet(emulation::At::BLOCK); }
static inline void __syncwarp(unsigned all = 0xffffffffu) { emulation::meet(emulation::At::WARP, all); }
// All lanes take part in what they exchange, or the run ends.
static inline unsigned __activemask() { return 0xffffffffu; }
static inline void __threadfence() {}
static inline void __threadfence_block() {}

template <class T>
static inline T __shfl_sync(unsigned all, T value, int from, int = 32) { return emulation::shuffle(all, value, from); }
template <class T>
static inline T __shfl_xor_sync(unsigned all, T value, int mask, int = 32) {
  return emulation::shuffle(all, value, emulation::lane() ^ mask);
}
template <class T>
static inline T __shfl_down_sync(unsigned all, T value, unsigned by, int = 32) {
  return emulation::shuffle(all, value, emulation::lane() + (int)by);
}
template <class T>
static inline T __shfl_up_sync(unsigned all, T value, unsigned by, int = 32) {
  return emulation::shuffle(all, value, emulation::lane() - (int)by);
}

template <class T>
static inline T atomicAdd(T* place, T value) {
  T old = *place;
  *place = old + value;
  return old;
}

static inline unsigned __float_as_uint(float v) { unsigned r; std::memcpy(&r, &v, 4); return r; }
static inline int __float_as_int(float v) { int r; std::memcpy(&r, &v, 4); return r; }
static inline float __uint_as_float(unsigned v) { float r; std::memcpy(&r, &v, 4); return r; }
static inline float __int_as_float(int v) { float r; std::memcpy(&r, &v, 4); return r; }
static inline long long __double_as_longlong(double v) { long long r; std::memcpy(&r, &v, 8); return r; }
static inline double __longlong_as_double(long long v) { double r; std::memcpy(&r, &v, 8); return r; }
static inline float rsqrtf(float v) { return 1.0f / std::sqrt(v); }
static inline double rsqrt(double v) { return 1.0 / std::sqrt(v); }
static inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline int __clz(int v) { return v == 0 ? 32 : __builtin_clz((unsigned)v); }
static inline int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((unsigned long long)v); }
using std::isinf;
using std::isnan;
using std::isfinite;
template <class A, class B>
static inline auto max(A a, B b) -> decltype(a + b) { return a > b ? a : b; }
template <class A, class B>
static inline auto min(A a, B b) -> decltype(a + b) { return a < b ? a : b; }
