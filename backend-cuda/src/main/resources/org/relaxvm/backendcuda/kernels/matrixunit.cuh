// What the 32 threads of a warp do together with small matrices of 16 bit floats.
static __device__ __forceinline__ unsigned int rv_shared_address(const void* place) {
  unsigned int address;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(address) : "l"(place));
  return address;
}
// Four matrices of 8 by 8, of which thread l gives the address of line l % 8 of number l / 8. The
// thread gets the elements 2 * (l % 4) and the next one of line l / 4 of each; transposed, the
// element l / 4 of the lines 2 * (l % 4) and the next one.
template <bool TURNED> static __device__ __forceinline__ void rv_ldmatrix(unsigned int (&to)[4], const unsigned short* line) {
#if __CUDA_ARCH__ >= 800
  if constexpr (TURNED) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(rv_shared_address(line)) : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(rv_shared_address(line)) : "memory");
  }
#endif
}
// Volatile, so that it stays where all threads of the warp come, though some do not need the sums.
template <bool BFLOAT> static __device__ __forceinline__ void rv_mma_16x8x16(float* sums, const unsigned int (&a)[4], unsigned int b0, unsigned int b1) {
#if __CUDA_ARCH__ >= 800
  if constexpr (BFLOAT) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
#endif
}
template <bool BFLOAT> static __device__ __forceinline__ float rv_mma_value(unsigned short bits) {
  float x;
  if constexpr (BFLOAT) {
    asm("{ .reg .b32 w; mov.b32 w, {0, %1}; mov.b32 %0, w; }" : "=f"(x) : "h"(bits));
  } else {
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  }
  return x;
}
