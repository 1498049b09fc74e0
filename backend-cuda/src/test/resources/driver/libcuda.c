// A driver of CUDA with one device that is memory of the host. It checks what it is given as far as
// a driver does, and knows two kernels: "fill" and "tell".
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct { int live; } Context;
typedef struct { Context* context; int capturing; int captured; } Stream;
typedef struct { Context* context; int recorded; int timing; double millis; } Event;
typedef struct { Context* context; char name[64]; } Module;
typedef struct { Module* module; char name[64]; int shared; int clusters; } Function;
typedef struct { unsigned x, y, z; } Axes;
typedef struct { int id; char pad[4]; union { int flag; Axes axes; char room[64]; } value; } Attribute;
typedef struct {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, shared;
  Stream* stream;
  Attribute* attributes;
  unsigned count;
} Config;

static Context primary;
static __thread Context* current;
static int initialized;
static double now;

#define NEEDS_CONTEXT if (current != &primary || !primary.live) return 201

int cuDriverGetVersion(int* version) {
  const char* asked = getenv("FAKE_CUDA_VERSION");
  *version = asked ? atoi(asked) : 12080;
  return 0;
}
int cuInit(unsigned flags) {
  const char* code = getenv("FAKE_CUDA_INIT");
  if (flags) return 1;
  initialized = 1;
  return code ? atoi(code) : 0;
}
int cuDeviceGetCount(int* count) { *count = 1; return initialized ? 0 : 3; }
int cuDeviceGet(int* device, int ordinal) { *device = ordinal; return ordinal ? 101 : 0; }
int cuDeviceGetName(char* name, int length, int device) {
  return snprintf(name, length, "Fake GPU") > 0 && !device ? 0 : 101;
}
int cuDeviceTotalMem_v2(size_t* bytes, int device) { *bytes = 24UL << 30; return device ? 101 : 0; }
int cuDeviceGetUuid(unsigned char* uuid, int device) {
  for (int i = 0; i < 16; i++) uuid[i] = 0xA0 + i;
  return device ? 101 : 0;
}
int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  const char* part = getenv("FAKE_CUDA_PART");
  int code = cuDeviceGetUuid(uuid, device);
  if (part) uuid[15] = atoi(part);
  return code;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  switch (attribute) {
    case 1: *value = 1024; break;
    case 2: case 3: *value = 1024; break;
    case 4: *value = 64; break;
    case 5: *value = 2147483647; break;
    case 6: case 7: *value = 65535; break;
    case 8: *value = 49152; break;
    case 10: *value = 32; break;
    case 16: *value = 114; break;
    case 18: *value = 0; break;
    case 38: *value = 52428800; break;
    case 75: *value = 9; break;
    case 76: *value = 0; break;
    case 97: *value = 232448; break;
    case 115: *value = 1; break;
    default: return 1;
  }
  return device ? 101 : 0;
}
int cuDeviceCanAccessPeer(int* can, int device, int peer) { *can = 0; return device || peer ? 101 : 0; }
int cuDevicePrimaryCtxRetain(Context** context, int device) {
  primary.live++;
  *context = &primary;
  return device ? 101 : 0;
}
int cuDevicePrimaryCtxRelease_v2(int device) { primary.live--; return device ? 101 : 0; }
int cuCtxSetCurrent(Context* context) { current = context; return 0; }
int cuMemGetInfo_v2(size_t* free, size_t* total) {
  NEEDS_CONTEXT;
  *free = 3UL << 30;
  *total = 24UL << 30;
  return 0;
}

// A page in front of what is given holds its size.
static int take(uint64_t* address, size_t size) {
  if (size == 0) return 1;
  if (size > 24UL << 30) return 2;
  char* made = mmap(0, size + 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return 2;
  *(size_t*) made = size;
  *address = (uint64_t) made + 4096;
  return 0;
}
static int give(uint64_t address) {
  char* made = (char*) address - 4096;
  return munmap(made, *(size_t*) made + 4096) ? 1 : 0;
}
int cuMemAlloc_v2(uint64_t* address, size_t size) { NEEDS_CONTEXT; return take(address, size); }
int cuMemFree_v2(uint64_t address) { NEEDS_CONTEXT; return give(address); }
int cuMemAllocAsync(uint64_t* address, size_t size, Stream* stream) {
  NEEDS_CONTEXT;
  return stream->context == current ? take(address, size) : 400;
}
int cuMemFreeAsync(uint64_t address, Stream* stream) {
  NEEDS_CONTEXT;
  return stream->context == current ? give(address) : 400;
}
int cuMemHostAlloc(void** address, size_t size, unsigned flags) {
  NEEDS_CONTEXT;
  if (flags != 1) return 1;
  *address = malloc(size);
  return 0;
}
int cuMemFreeHost(void* address) { NEEDS_CONTEXT; free(address); return 0; }
int cuDeviceGetDefaultMemPool(void** pool, int device) { *pool = &primary; return device ? 101 : 0; }
int cuMemPoolSetAccess(void* pool, const int* access, size_t count) {
  return pool == &primary && count == 1 && access[0] == 1 && access[1] == 0 && access[2] == 3 ? 0 : 1;
}
static int copy(void* target, const void* source, size_t size, Stream* stream) {
  NEEDS_CONTEXT;
  if (stream->context != current) return 400;
  if (stream->capturing) stream->captured++;
  memcpy(target, source, size);
  return 0;
}
int cuMemcpyHtoDAsync_v2(uint64_t target, const void* source, size_t size, Stream* stream) {
  return copy((void*) target, source, size, stream);
}
int cuMemcpyDtoHAsync_v2(void* target, uint64_t source, size_t size, Stream* stream) {
  return copy(target, (void*) source, size, stream);
}
int cuMemcpyDtoDAsync_v2(uint64_t target, uint64_t source, size_t size, Stream* stream) {
  return copy((void*) target, (void*) source, size, stream);
}
int cuMemcpyPeerAsync(uint64_t target, Context* to, uint64_t source, Context* from, size_t size,
                      Stream* stream) {
  return to == &primary && from == &primary ? copy((void*) target, (void*) source, size, stream) : 201;
}
int cuCtxEnablePeerAccess(Context* context, unsigned flags) {
  NEEDS_CONTEXT;
  return context == &primary && !flags ? 704 : 1;
}

int cuStreamCreate(Stream** stream, unsigned flags) {
  NEEDS_CONTEXT;
  *stream = calloc(1, sizeof(Stream));
  (*stream)->context = current;
  return flags == 1 ? 0 : 1;
}
int cuStreamSynchronize(Stream* stream) {
  NEEDS_CONTEXT;
  return stream->context != current ? 400 : stream->capturing ? 900 : 0;
}
int cuStreamWaitEvent(Stream* stream, Event* event, unsigned flags) {
  NEEDS_CONTEXT;
  return stream->context == current && event->context == current && !flags ? 0 : 400;
}
int cuStreamDestroy_v2(Stream* stream) { NEEDS_CONTEXT; free(stream); return 0; }
int cuStreamBeginCapture_v2(Stream* stream, int mode) {
  NEEDS_CONTEXT;
  stream->capturing = 1;
  stream->captured = 0;
  return mode == 2 ? 0 : 1;
}
int cuStreamEndCapture(Stream* stream, int** graph) {
  NEEDS_CONTEXT;
  if (!stream->capturing) return 1;
  stream->capturing = 0;
  *graph = malloc(sizeof(int));
  **graph = stream->captured;
  return 0;
}
int cuGraphInstantiateWithFlags(int** made, int* graph, unsigned long long flags) {
  NEEDS_CONTEXT;
  *made = malloc(sizeof(int));
  **made = *graph;
  return flags ? 1 : 0;
}
int cuGraphDestroy(int* graph) { free(graph); return 0; }
int cuGraphLaunch(int* graph, Stream* stream) {
  NEEDS_CONTEXT;
  return stream->context == current && *graph > 0 ? 0 : 400;
}
int cuGraphExecDestroy(int* graph) { NEEDS_CONTEXT; free(graph); return 0; }

int cuEventCreate(Event** event, unsigned flags) {
  NEEDS_CONTEXT;
  *event = calloc(1, sizeof(Event));
  (*event)->context = current;
  (*event)->timing = !(flags & 2);
  return 0;
}
int cuEventRecord(Event* event, Stream* stream) {
  NEEDS_CONTEXT;
  if (event->context != current || stream->context != current) return 400;
  event->recorded = 1;
  event->millis = now += 1.5;
  return 0;
}
int cuEventQuery(Event* event) { NEEDS_CONTEXT; return event->recorded ? 0 : 600; }
int cuEventSynchronize(Event* event) { NEEDS_CONTEXT; return event->recorded ? 0 : 400; }
int cuEventElapsedTime(float* millis, Event* first, Event* second) {
  NEEDS_CONTEXT;
  if (!first->timing || !second->timing) return 400;
  *millis = (float) (second->millis - first->millis);
  return 0;
}
int cuEventDestroy_v2(Event* event) { NEEDS_CONTEXT; free(event); return 0; }

// An image is a text that ends with a zero byte: "bad" is refused with a log.
int cuModuleLoadDataEx(Module** module, const char* image, unsigned count, int* options, void** values) {
  NEEDS_CONTEXT;
  if (count != 2 || options[0] != 5 || options[1] != 6) return 1;
  if (!strcmp(image, "bad")) {
    snprintf(values[0], (size_t) values[1], "ptxas application ptx input, line 1; fatal: bad");
    return 218;
  }
  *module = calloc(1, sizeof(Module));
  (*module)->context = current;
  snprintf((*module)->name, 64, "%s", image);
  return 0;
}
int cuModuleUnload(Module* module) { NEEDS_CONTEXT; free(module); return 0; }
int cuModuleGetFunction(Function** function, Module* module, const char* name) {
  NEEDS_CONTEXT;
  if (strcmp(name, "fill") && strcmp(name, "tell")) return 500;
  *function = calloc(1, sizeof(Function));
  (*function)->module = module;
  snprintf((*function)->name, 64, "%s", name);
  return 0;
}
int cuFuncGetAttribute(int* value, int attribute, Function* function) {
  NEEDS_CONTEXT;
  int known[] = {512, 256, 0, 16, 40};
  if (attribute > 4 || !function) return 1;
  *value = known[attribute];
  return 0;
}
int cuFuncSetAttribute(Function* function, int attribute, int value) {
  NEEDS_CONTEXT;
  if (attribute == 8) function->shared = value;
  else if (attribute == 14) function->clusters = value;
  else return 1;
  return 0;
}

static int run(Function* function, Config* config, void** params, void** extra) {
  NEEDS_CONTEXT;
  if (params || config->stream->context != current) return 1;
  if (config->shared > 49152 && config->shared > (unsigned) function->shared) return 1;
  if (config->stream->capturing) { config->stream->captured++; return 0; }
  if (!extra || extra[0] != (void*) 1 || extra[2] != (void*) 2 || extra[4]) return 1;
  char* packed = extra[1];
  size_t size = *(size_t*) extra[3];
  if (!strcmp(function->name, "fill")) {
    // (float* out, int32 count, float64 value)
    if (size != 24) return 1;
    float* out = *(float**) packed;
    for (int i = 0; i < *(int*) (packed + 8); i++) out[i] = (float) *(double*) (packed + 16);
    return 0;
  }
  // (int32* out): what the launch is
  if (size != 8) return 1;
  int* out = *(int**) packed;
  memcpy(out, config, 7 * sizeof(int));
  out[7] = config->count;
  out[8] = function->clusters;
  for (unsigned i = 0; i < config->count; i++) {
    Attribute* attribute = config->attributes + i;
    out[9 + 4 * i] = attribute->id;
    memcpy(out + 10 + 4 * i, &attribute->value, 3 * sizeof(int));
  }
  return 0;
}
int cuLaunchKernel(Function* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned shared, Stream* stream, void** params,
                   void** extra) {
  Config config = {gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, 0, 0};
  return run(function, &config, params, extra);
}
#ifndef TOO_OLD
int cuLaunchKernelEx(Config* config, Function* function, void** params, void** extra) {
  return config->count ? run(function, config, params, extra) : 1;
}
#endif
