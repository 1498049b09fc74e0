// row_sum_0: groups of 64, 256 bytes shared
extern "C" __global__ void __launch_bounds__(64)
row_sum_0(const float* A, float* C, int n, int m) {
  __shared__ __align__(16) float C_parts[64];
  const int row = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    float C_acc[1];
    C_acc[0] = 0.0f;
    for (int turn = 0; turn < ((m + 63) / 64); turn++) {
      const int k = ((turn * 64) + item);
      if ((k < m)) {
        C_acc[0] = (C_acc[0] + A[((row * m) + k)]);
      }
    }
    C_parts[item] = C_acc[0];
  }
  __syncthreads();
  {
    float rv_v = C_parts[threadIdx.x];
    #pragma unroll
    for (int rv_d = 16; rv_d > 0; rv_d /= 2) {
      const float rv_w = __shfl_xor_sync(0xffffffffu, rv_v, rv_d);
      rv_v = rv_v + rv_w;
    }
    if (threadIdx.x % 32 == 0) C_parts[threadIdx.x] = rv_v;
    __syncthreads();
    if (threadIdx.x < 2) {
      rv_v = C_parts[threadIdx.x * 32];
      #pragma unroll
      for (int rv_d = 1; rv_d > 0; rv_d /= 2) {
        const float rv_w = __shfl_xor_sync(0x00000003u, rv_v, rv_d);
        rv_v = rv_v + rv_w;
      }
      if (threadIdx.x == 0) C_parts[0] = rv_v;
    }
  }
  __syncthreads();
  {
    const int item_1 = (int)threadIdx.x;
    if ((item_1 < 1)) {
      const float result = (0.0f + C_parts[0]);
      C[row] = result;
    }
  }
}
