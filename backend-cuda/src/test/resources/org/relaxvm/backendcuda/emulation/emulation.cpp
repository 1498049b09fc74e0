// Runs the blocks of a launch; see emulation.h.
#include "emulation.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace emulation {

// Copies that were begun, and groups of them that were not waited for.
struct Copies {
  std::vector<Copy> begun;
  std::vector<std::vector<Copy>> groups;
};

// One for each thread of the host, whatever programs it runs.
inline thread_local Block* spare = nullptr;

[[noreturn]] void broken(const char* what) {
  std::fprintf(stderr, "emulated CUDA: %s\n", what);
  std::abort();
}

__attribute__((noinline)) void meet(At at, uint32_t mask) {
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

static void start(unsigned low, unsigned high) {
  Block* b = reinterpret_cast<Block*>(((uint64_t)high << 32) | low);
  b->body(b->arguments);
  block->current->at = At::DONE;
  _longjmp(block->scheduler, 1);
}

__attribute__((noinline)) static void resume(Block* b, Fiber* fiber) {
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

// Runs a warp until all of its threads are at a barrier of the block, or are done.
static void run_warp(Block* b, int first, int end, bool backwards) {
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

static void run_block(Block* b, int number) {
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

void begin_copy(const Copy& copy) { block->current->copies->begun.push_back(copy); }

void commit_copies() {
  Copies* copies = block->current->copies;
  copies->groups.push_back(std::move(copies->begun));
  copies->begun.clear();
}

void wait_for_copies(size_t left) {
  std::vector<std::vector<Copy>>& groups = block->current->copies->groups;
  while (groups.size() > left) {
    for (const Copy& copy : groups.front()) {
      std::memset(copy.target, 0, copy.bytes);
      std::memcpy(copy.target, copy.source, copy.some);
    }
    groups.erase(groups.begin());
  }
}

void run_all(void (*body)(void*), void* arguments, const Size& size, bool meets) {
  if (spare == nullptr) {
    spare = new Block();
    spare->fibers = new Fiber[1024]();
    for (int i = 0; i < 1024; i++) {
      spare->fibers[i].copies = new Copies();
    }
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
          fiber->copies->begun.clear();
          fiber->copies->groups.clear();
        }
      }
  std::free(b->dynamic_shared);
}

}  // namespace emulation
