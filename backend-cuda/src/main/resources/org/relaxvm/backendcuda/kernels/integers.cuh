// Integers of floats: towards 0; the nearest one of what is out of range, 0 of NaN.
static __device__ inline int rv_int32_of(float x) { int i; asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(x)); return i; }
static __device__ inline unsigned int rv_uint32_of(float x) { unsigned int i; asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(i) : "f"(x)); return i; }
static __device__ inline long long rv_int64_of(float x) { long long i; asm("cvt.rzi.s64.f32 %0, %1;" : "=l"(i) : "f"(x)); return x != x ? 0 : i; }
static __device__ inline unsigned long long rv_uint64_of(float x) { unsigned long long i; asm("cvt.rzi.u64.f32 %0, %1;" : "=l"(i) : "f"(x)); return x != x ? 0 : i; }
static __device__ inline int rv_int32_of(double x) { int i; asm("cvt.rzi.s32.f64 %0, %1;" : "=r"(i) : "d"(x)); return x != x ? 0 : i; }
static __device__ inline unsigned int rv_uint32_of(double x) { unsigned int i; asm("cvt.rzi.u32.f64 %0, %1;" : "=r"(i) : "d"(x)); return x != x ? 0 : i; }
static __device__ inline long long rv_int64_of(double x) { long long i; asm("cvt.rzi.s64.f64 %0, %1;" : "=l"(i) : "d"(x)); return x != x ? 0 : i; }
static __device__ inline unsigned long long rv_uint64_of(double x) { unsigned long long i; asm("cvt.rzi.u64.f64 %0, %1;" : "=l"(i) : "d"(x)); return x != x ? 0 : i; }
template <typename T> static __device__ inline signed char rv_int8_of(T x) { const int i = rv_int32_of(x); return (signed char)(i < -128 ? -128 : i > 127 ? 127 : i); }
template <typename T> static __device__ inline short rv_int16_of(T x) { const int i = rv_int32_of(x); return (short)(i < -32768 ? -32768 : i > 32767 ? 32767 : i); }
template <typename T> static __device__ inline unsigned char rv_uint8_of(T x) { const unsigned int i = rv_uint32_of(x); return (unsigned char)(i > 255u ? 255u : i); }
template <typename T> static __device__ inline unsigned short rv_uint16_of(T x) { const unsigned int i = rv_uint32_of(x); return (unsigned short)(i > 65535u ? 65535u : i); }
