// Products of matrices of 8 bit floats in shared memory, by all 32 threads of a warp together.
//
// rv_mma_e4m3<M, N, RS, RD, CS, CD>(sums, rows, columns), and rv_mma_e5m2 alike, means for each
// thread, with l = threadIdx.x % 32, for i < M, j < N and e < 4:
//   r = 16 * i + l / 4 + 8 * (e / 2);  c = 8 * j + 2 * (l % 4) + e % 2;
//   sums[(i * N + j) * 4 + e] += sum over k < 32 of rows[r * RS + k * RD] * columns[c * CS + k * CD];
// with sums that tensor cores may keep to fewer bits than float32 has while they add. One of RS and RD is
// 1, and one of CS and CD; the other one is a multiple of 16. rows and columns are multiples of 16
// bytes, and the same for the whole warp. N is even.

// Four elements along the depth, as thread l holds them: from 4 * (l % 4) on.
template <int STEP> static __device__ __forceinline__ unsigned int rv_gather8(const unsigned char* first) {
  return first[0] | (unsigned int)first[STEP] << 8 | (unsigned int)first[2 * STEP] << 16 | (unsigned int)first[3 * STEP] << 24;
}
template <bool E5M2> static __device__ __forceinline__ float rv_mma8_value(unsigned char bits) {
  return E5M2 ? rv_of_e5m2(bits) : rv_of_e4m3(bits);
}
template <bool E5M2, int M, int N, int RS, int RD, int CS, int CD>
static __device__ __forceinline__ void rv_mma8(float* sums, const unsigned char* rows, const unsigned char* columns) {
  static_assert(N % 2 == 0 && (RS == 1 || RD == 1) && (CS == 1 || CD == 1), "no layout of a matrix");
  const int lane = threadIdx.x & 31;
#ifdef RV_FLOAT8_UNIT
  unsigned int a[M][4];
  unsigned int b[N / 2][4];
  const int near = lane & 7, line = lane >> 2, k = (lane & 3) * 4;
  #pragma unroll
  for (int i = 0; i < M; i++) {
    if constexpr (RD == 1) {
      // Pairs of elements count as one of 16 bits.
      const int row = 16 * i + near + (lane >> 3 & 1) * 8;
      rv_ldmatrix<false>(a[i], (const unsigned short*)(rows + row * RS + (lane >> 4) * 16));
    } else {
      #pragma unroll
      for (int m = 0; m < 4; m++) a[i][m] = rv_gather8<RD>(rows + (16 * i + line + m % 2 * 8) * RS + (k + m / 2 * 16) * RD);
    }
  }
  #pragma unroll
  for (int j = 0; j < N / 2; j++) {
    if constexpr (CD == 1) {
      const int column = 16 * j + near + (lane >> 4) * 8;
      rv_ldmatrix<false>(b[j], (const unsigned short*)(columns + column * CS + (lane >> 3 & 1) * 16));
    } else {
      #pragma unroll
      for (int m = 0; m < 4; m++) b[j][m] = rv_gather8<CD>(columns + (16 * j + line + m / 2 * 8) * CS + (k + m % 2 * 16) * CD);
    }
  }
  #pragma unroll
  for (int i = 0; i < M; i++) {
    #pragma unroll
    for (int j = 0; j < N; j++) {
      rv_mma_16x8x32<E5M2>(sums + (i * N + j) * 4, a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
  }
#else
  #pragma unroll
  for (int i = 0; i < M * N * 4; i++) {
    const int row = i / 4 / N * 16 + lane / 4 + i % 4 / 2 * 8, column = i / 4 % N * 8 + lane % 4 * 2 + i % 2;
    for (int k = 0; k < 32; k++) {
      sums[i] += rv_mma8_value<E5M2>(rows[row * RS + k * RD]) * rv_mma8_value<E5M2>(columns[column * CS + k * CD]);
    }
  }
#endif
}
template <int M, int N, int RS, int RD, int CS, int CD>
static __device__ __forceinline__ void rv_mma_e4m3(float* sums, const unsigned char* rows, const unsigned char* columns) {
  rv_mma8<false, M, N, RS, RD, CS, CD>(sums, rows, columns);
}
template <int M, int N, int RS, int RD, int CS, int CD>
static __device__ __forceinline__ void rv_mma_e5m2(float* sums, const unsigned char* rows, const unsigned char* columns) {
  rv_mma8<true, M, N, RS, RD, CS, CD>(sums, rows, columns);
}
