// softmax_0: groups of 64, 520 bytes shared
// Floats from their bits, and what they are.
static __device__ inline float rv_float_of(unsigned int bits) { return __uint_as_float(bits); }
static __device__ inline double rv_double_of(unsigned long long bits) { return __longlong_as_double((long long)bits); }
static __device__ inline bool rv_isnan(float x) { return x != x; }
static __device__ inline bool rv_isnan(double x) { return x != x; }
static __device__ inline bool rv_isinf(float x) { return fabsf(x) == __uint_as_float(0x7f800000u); }
static __device__ inline bool rv_isinf(double x) { return fabs(x) == __longlong_as_double(0x7ff0000000000000LL); }
static __device__ inline bool rv_isfinite(float x) { return fabsf(x) < __uint_as_float(0x7f800000u); }
static __device__ inline bool rv_isfinite(double x) { return fabs(x) < __longlong_as_double(0x7ff0000000000000LL); }
static __device__ inline float rv_max_float(float a, float b) { return a != a || a > b ? a : b; }
extern "C" __global__ void __launch_bounds__(64)
softmax_0(const float* P, float* C, int n, int m) {
  __shared__ __align__(16) float X_parts[64];
  __shared__ __align__(16) float S_parts[64];
  __shared__ __align__(16) float X[1];
  __shared__ __align__(16) float S[1];
  const int row = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    float X_acc[1];
    X_acc[0] = rv_float_of(0xff800000u);
    for (int turn = 0; turn < ((m + 63) / 64); turn++) {
      const int k = ((turn * 64) + item);
      if ((k < m)) {
        X_acc[0] = rv_max_float(X_acc[0], P[((row * m) + k)]);
      }
    }
    X_parts[item] = X_acc[0];
  }
  __syncthreads();
  {
    float rv_v = X_parts[threadIdx.x];
    #pragma unroll
    for (int rv_d = 16; rv_d > 0; rv_d /= 2) {
      const float rv_w = __shfl_xor_sync(0xffffffffu, rv_v, rv_d);
      rv_v = rv_v != rv_v || rv_v > rv_w ? rv_v : rv_w;
    }
    if (threadIdx.x % 32 == 0) X_parts[threadIdx.x] = rv_v;
    __syncthreads();
    if (threadIdx.x < 2) {
      rv_v = X_parts[threadIdx.x * 32];
      #pragma unroll
      for (int rv_d = 1; rv_d > 0; rv_d /= 2) {
        const float rv_w = __shfl_xor_sync(0x00000003u, rv_v, rv_d);
        rv_v = rv_v != rv_v || rv_v > rv_w ? rv_v : rv_w;
      }
      if (threadIdx.x == 0) X_parts[0] = rv_v;
    }
  }
  __syncthreads();
  {
    const int item_1 = (int)threadIdx.x;
    if ((item_1 < 1)) {
      const float result = rv_max_float(rv_float_of(0xff800000u), X_parts[0]);
      X[0] = result;
    }
  }
  __syncthreads();
  {
    const int item_2 = (int)threadIdx.x;
    float S_acc[1];
    S_acc[0] = 0.0f;
    for (int turn_1 = 0; turn_1 < ((m + 63) / 64); turn_1++) {
      const int k_1 = ((turn_1 * 64) + item_2);
      if ((k_1 < m)) {
        S_acc[0] = (S_acc[0] + expf((P[((row * m) + k_1)] - X[0])));
      }
    }
    S_parts[item_2] = S_acc[0];
  }
  __syncthreads();
  {
    float rv_v = S_parts[threadIdx.x];
    #pragma unroll
    for (int rv_d = 16; rv_d > 0; rv_d /= 2) {
      const float rv_w = __shfl_xor_sync(0xffffffffu, rv_v, rv_d);
      rv_v = rv_v + rv_w;
    }
    if (threadIdx.x % 32 == 0) S_parts[threadIdx.x] = rv_v;
    __syncthreads();
    if (threadIdx.x < 2) {
      rv_v = S_parts[threadIdx.x * 32];
      #pragma unroll
      for (int rv_d = 1; rv_d > 0; rv_d /= 2) {
        const float rv_w = __shfl_xor_sync(0x00000003u, rv_v, rv_d);
        rv_v = rv_v + rv_w;
      }
      if (threadIdx.x == 0) S_parts[0] = rv_v;
    }
  }
  __syncthreads();
  {
    const int item_3 = (int)threadIdx.x;
    if ((item_3 < 1)) {
      const float result_1 = (0.0f + S_parts[0]);
      S[0] = result_1;
    }
  }
  __syncthreads();
  {
    const int item_4 = (int)threadIdx.x;
    for (int turn_2 = 0; turn_2 < ((m + 63) / 64); turn_2++) {
      const int i = ((turn_2 * 64) + item_4);
      if ((i < m)) {
        C[((row * m) + i)] = (expf((P[((row * m) + i)] - X[0])) / S[0]);
      }
    }
  }
}
