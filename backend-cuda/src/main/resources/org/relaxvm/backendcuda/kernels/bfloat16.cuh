// Floats of 16 bits with the range of 32, which are stored by their bits. They round to the nearest, ties to even.
static __device__ inline float rv_of_bf16(unsigned short bits) { return __uint_as_float((unsigned int)bits << 16); }
static __device__ inline unsigned short rv_bf16(float x) {
#if __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
#else
  const unsigned int u = __float_as_uint(x);
  return x != x ? (unsigned short)(u >> 16 | 0x40u) : (unsigned short)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
#endif
}
