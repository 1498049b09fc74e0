// Floats of 16 bits, which are stored by their bits. They round to the nearest, ties to even.
static __device__ inline float rv_of_f16(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
static __device__ inline unsigned short rv_f16(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
static __device__ inline float rv_half(float x) { return rv_of_f16(rv_f16(x)); }
