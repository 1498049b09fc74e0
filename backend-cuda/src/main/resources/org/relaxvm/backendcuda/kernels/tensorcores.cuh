// Products of matrices of 16 bit floats in shared memory, by all 32 threads of a warp together.
//
// rv_mma_f16<M, N, RS, RD, CS, CD>(sums, rows, columns), and rv_mma_bf16 alike, means for each
// thread, with l = threadIdx.x % 32, for i < M, j < N and e < 4:
//   r = 16 * i + l / 4 + 8 * (e / 2);  c = 8 * j + 2 * (l % 4) + e % 2;
//   sums[(i * N + j) * 4 + e] += sum over k < 16 of rows[r * RS + k * RD] * columns[c * CS + k * CD];
// with products and sums of float32. One of RS and RD is 1, and one of CS and CD; the other one is
// a multiple of 8. rows and columns are multiples of 16 bytes, and the same for the whole warp. N is
// even.
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
template <bool BFLOAT> static __device__ __forceinline__ void rv_mma_16x8x16(float* sums, const unsigned int (&a)[4], unsigned int b0, unsigned int b1) {
#if __CUDA_ARCH__ >= 800
  if constexpr (BFLOAT) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
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
template <bool BFLOAT, int M, int N, int RS, int RD, int CS, int CD>
static __device__ __forceinline__ void rv_mma(float* sums, const unsigned short* rows, const unsigned short* columns) {
  static_assert(N % 2 == 0 && (RS == 1 || RD == 1) && (CS == 1 || CD == 1), "no layout of a matrix");
  const int lane = threadIdx.x & 31;
#if __CUDA_ARCH__ >= 800
  unsigned int a[M][4];
  unsigned int b[N / 2][4];
  // Lines lie along the depth, or along the rows or columns; then they are turned.
  const int near = lane & 7, next = (lane >> 3 & 1) * 8, far = (lane >> 4) * 8;
  #pragma unroll
  for (int i = 0; i < M; i++) {
    const int row = 16 * i + (RD == 1 ? near + next : next), k = RD == 1 ? far : near + far;
    rv_ldmatrix<RD != 1>(a[i], rows + row * RS + k * RD);
  }
  #pragma unroll
  for (int j = 0; j < N / 2; j++) {
    const int column = 16 * j + (CD == 1 ? near + far : far), k = CD == 1 ? next : near + next;
    rv_ldmatrix<CD != 1>(b[j], columns + column * CS + k * CD);
  }
  #pragma unroll
  for (int i = 0; i < M; i++) {
    #pragma unroll
    for (int j = 0; j < N; j++) {
      rv_mma_16x8x16<BFLOAT>(sums + (i * N + j) * 4, a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
  }
#else
  #pragma unroll
  for (int i = 0; i < M * N * 4; i++) {
    const int row = i / 4 / N * 16 + lane / 4 + i % 4 / 2 * 8, column = i / 4 % N * 8 + lane % 4 * 2 + i % 2;
    for (int k = 0; k < 16; k++) {
      sums[i] += rv_mma_value<BFLOAT>(rows[row * RS + k * RD]) * rv_mma_value<BFLOAT>(columns[column * CS + k * CD]);
    }
  }
#endif
}
template <int M, int N, int RS, int RD, int CS, int CD>
static __device__ __forceinline__ void rv_mma_f16(float* sums, const unsigned short* rows, const unsigned short* columns) {
  rv_mma<false, M, N, RS, RD, CS, CD>(sums, rows, columns);
}
template <int M, int N, int RS, int RD, int CS, int CD>
static __device__ __forceinline__ void rv_mma_bf16(float* sums, const unsigned short* rows, const unsigned short* columns) {
  rv_mma<true, M, N, RS, RD, CS, CD>(sums, rows, columns);
}
