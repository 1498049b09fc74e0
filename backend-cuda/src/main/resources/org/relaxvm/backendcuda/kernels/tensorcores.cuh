// Products of matrices of 16 bit floats in shared memory, by all 32 threads of a warp together.
//
// rv_mma_f16<M, N, RS, RD, CS, CD>(sums, rows, columns), and rv_mma_bf16 alike, means for each
// thread, with l = threadIdx.x % 32, for i < M, j < N and e < 4:
//   r = 16 * i + l / 4 + 8 * (e / 2);  c = 8 * j + 2 * (l % 4) + e % 2;
//   sums[(i * N + j) * 4 + e] += sum over k < 16 of rows[r * RS + k * RD] * columns[c * CS + k * CD];
// with products and sums of float32. One of RS and RD is 1, and one of CS and CD; the other one is
// a multiple of 8. rows and columns are multiples of 16 bytes, and the same for the whole warp. N is
// even.
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
