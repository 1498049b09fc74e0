// What programs in CUDA C find on a device, for a processor: the threads of a block are fibers of one thread, which
// run one after the other up to the next point where they meet. Blocks run one after the other.
#pragma once
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <ucontext.h>
#include <utility>
#include <vector>

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

// Where a fiber stands.
enum class At { READY, BLOCK, WARP, DONE };

// A copy that is made later: some bytes of the source, zeros behind them.
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
  // Asynchronous copies that were begun, and groups of them that were not waited for.
  std::vector<Copy> begun;
  std::vector<std::vector<Copy>> groups;
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
  // What lanes tell each other: a place for each lane.
  uint64_t slots[1024 * 8];
};

inline thread_local Block* block = nullptr;

inline int number() { return (int)(block->current - block->fibers); }
inline int lane() { return number() % WARP; }

[[noreturn]] inline void broken(const char* what) {
  std::fprintf(stderr, "emulated CUDA: %s\n", what);
  std::abort();
}

// Gives the others their turn.
__attribute__((noinline)) inline void meet(At at, uint32_t mask = 0xffffffffu) {
  Block* b = block;
  b->current->at = at;
  b->current->mask = mask;
  if (b->fibers[0].stack == nullptr) {
    broken("threads meet in a kernel that was thought to need no fibers");
  }
  if (_setjmp(b->current->here) == 0) {
    _longjmp(b->scheduler, 1);
  }
}

inline void start(unsigned low, unsigned high) {
  Block* b = reinterpret_cast<Block*>(((uint64_t)high << 32) | low);
  b->body(b->arguments);
  block->current->at = At::DONE;
  _longjmp(block->scheduler, 1);
}

__attribute__((noinline)) inline void resume(Block* b, Fiber* fiber) {
  b->current = fiber;
  if (_setjmp(b->scheduler) == 0) {
    if (fiber->started) {
      fiber->at = At::READY;
      _longjmp(fiber->here, 1);
    }
    fiber->started = true;
    getcontext(&fiber->first);
    fiber->first.uc_stack.ss_sp = fiber->stack;
    fiber->first.uc_stack.ss_size = STACK;
    fiber->first.uc_link = nullptr;
    uint64_t address = reinterpret_cast<uint64_t>(b);
    makecontext(&fiber->first, (void (*)())start, 2, (unsigned)address, (unsigned)(address >> 32));
    setcontext(&fiber->first);
  }
}

// Runs a warp until all of its threads stand where all threads of the block meet, or are done.
inline void run_warp(Block* b, int first, int end, bool backwards) {
  uint32_t all = end - first == WARP ? 0xffffffffu : (1u << (end - first)) - 1;
  for (;;) {
    for (int i = first; i < end; i++) {
      Fiber* fiber = &b->fibers[backwards ? end - 1 - (i - first) : i];
      if (fiber->at == At::READY) {
        resume(b, fiber);
      }
    }
    uint32_t waiting = 0, asked = 0;
    for (int i = first; i < end; i++) {
      if (b->fibers[i].at == At::WARP) {
        waiting |= 1u << (i - first);
        asked |= b->fibers[i].mask & all;
      }
    }
    if (waiting == 0) {
      return;
    }
    if (waiting != asked) {
      broken("not all lanes of a warp that are asked for take part in an exchange");
    }
    for (int i = first; i < end; i++) {
      if (b->fibers[i].at == At::WARP) {
        b->fibers[i].at = At::READY;
      }
    }
  }
}

inline void run_block(Block* b, int number) {
  bool backwards = number % 2 == 1;
  int warps = (b->count + WARP - 1) / WARP;
  for (;;) {
    for (int w = 0; w < warps; w++) {
      int warp = backwards ? warps - 1 - w : w;
      int end = (warp + 1) * WARP < b->count ? (warp + 1) * WARP : b->count;
      run_warp(b, warp * WARP, end, backwards);
    }
    int waiting = 0;
    for (int i = 0; i < b->count; i++) {
      waiting += b->fibers[i].at == At::BLOCK;
    }
    if (waiting == 0) {
      return;
    }
    if (waiting != b->count) {
      broken("not all threads of a block reach a barrier");
    }
    for (int i = 0; i < b->count; i++) {
      b->fibers[i].at = At::READY;
    }
  }
}

struct Size { int grid[3]; int block[3]; int shared; };

inline void run_all(void (*body)(void*), void* arguments, const Size& size, bool meets) {
  static thread_local Block* spare = nullptr;
  if (spare == nullptr) {
    spare = new Block();
    spare->fibers = new Fiber[1024]();
  }
  Block* b = spare;
  block = b;
  b->grid = {(unsigned)size.grid[0], (unsigned)size.grid[1], (unsigned)size.grid[2]};
  b->size = {(unsigned)size.block[0], (unsigned)size.block[1], (unsigned)size.block[2]};
  b->count = size.block[0] * size.block[1] * size.block[2];
  b->body = body;
  b->arguments = arguments;
  b->dynamic_shared = (char*)std::aligned_alloc(256, (size.shared + 256) / 256 * 256);
  if (meets && b->fibers[0].stack == nullptr) {
    char* stacks = (char*)std::malloc(STACK * 1024);
    for (int i = 0; i < 1024; i++) {
      b->fibers[i].stack = stacks + i * STACK;
    }
  }
  int done = 0;
  for (unsigned z = 0; z < b->grid.z; z++)
    for (unsigned y = 0; y < b->grid.y; y++)
      for (unsigned x = 0; x < b->grid.x; x++, done++) {
        b->index = {x, y, z};
        for (int i = 0; i < b->count; i++) {
          Fiber* fiber = &b->fibers[i];
          fiber->thread = {i % b->size.x, i / b->size.x % b->size.y, i / b->size.x / b->size.y};
          fiber->at = At::READY;
          fiber->started = false;
        }
        if (meets) {
          run_block(b, done);
        } else {
          for (int i = 0; i < b->count; i++) {
            b->current = &b->fibers[done % 2 == 1 ? b->count - 1 - i : i];
            body(arguments);
          }
        }
        for (int i = 0; i < b->count; i++) {
          Fiber* fiber = &b->fibers[i];
          // What nobody waits for, nobody reads: shared memory goes with the block.
          fiber->begun.clear();
          fiber->groups.clear();
        }
      }
  std::free(b->dynamic_shared);
}

template <class T>
T take(const char*& at) {
  at = (const char*)(((uintptr_t)at + alignof(T) - 1) / alignof(T) * alignof(T));
  T value;
  std::memcpy(&value, at, sizeof(T));
  at += sizeof(T);
  return value;
}

// Calls a kernel with arguments that lie beside each other, each at a multiple of its own size.
template <class... P>
void launch(void (*kernel)(P...), const char* arguments, const Size& size, bool meets) {
  struct Call {
    void (*kernel)(P...);
    std::tuple<P...> values;
  };
  const char* at = arguments;
  Call call{kernel, std::tuple<P...>{take<P>(at)...}};
  run_all(
      [](void* made) {
        Call* own = (Call*)made;
        std::apply(own->kernel, own->values);
      },
      &call,
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
