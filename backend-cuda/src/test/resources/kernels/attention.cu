// attention_0: groups of 64, 9728 bytes shared
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
static __device__ inline int rv_max_int32(int a, int b) { return a != a || a > b ? a : b; }
static __device__ inline int rv_min_int32(int a, int b) { return a != a || a < b ? a : b; }
extern "C" __global__ void __launch_bounds__(64)
attention_0(const float* Q, const float* K, const float* V, float* a, int n, int m) {
  __shared__ __align__(16) float row_tile[512];
  __shared__ __align__(16) float tile[512];
  __shared__ __align__(16) float weights[1056];
  __shared__ __align__(16) float shares[256];
  __shared__ __align__(16) float largest[32];
  __shared__ __align__(16) float scale[32];
  __shared__ __align__(16) float sum[32];
  const int batch = (int)blockIdx.z;
  const int row_group = (int)blockIdx.x;
  float scores[16];
  float weighted[4];
  {
    const int item = (int)threadIdx.x;
    #pragma unroll
    for (int n_1 = 0; n_1 < 4; n_1++) {
      #pragma unroll
      for (int n_2 = 0; n_2 < 1; n_2++) {
        weighted[n_1] = 0.0f;
      }
    }
    for (int turn = 0; turn < 1; turn++) {
      const int row = ((turn * 64) + item);
      if ((row < 32)) {
        largest[row] = rv_float_of(0xff800000u);
        sum[row] = 0.0f;
      }
    }
  }
  for (int block = 0; block < rv_max_int32(0, ((rv_min_int32(m, (((row_group * 32) + 31) + 1)) + 31) / 32)); block++) {
    {
      const int item_1 = (int)threadIdx.x;
      #pragma unroll
      for (int n_3 = 0; n_3 < 4; n_3++) {
        #pragma unroll
        for (int n_4 = 0; n_4 < 4; n_4++) {
          scores[((n_3 * 4) + n_4)] = 0.0f;
        }
      }
    }
    for (int slice = 0; slice < 1; slice++) {
      __syncthreads();
      {
        const int item_2 = (int)threadIdx.x;
        for (int turn_1 = 0; turn_1 < 8; turn_1++) {
          const int element = ((turn_1 * 64) + item_2);
          const int at = ((row_group * 32) + (element / 16));
          const int k = ((slice * 16) + (element % 16));
          row_tile[((element / 16) + ((element % 16) * 32))] = (((at < n) && (k < 8)) ? Q[(((batch * 8) + (at * 16)) + k)] : 0.0f);
        }
        for (int turn_2 = 0; turn_2 < 8; turn_2++) {
          const int element_1 = ((turn_2 * 64) + item_2);
          const int at_1 = ((block * 32) + (element_1 / 16));
          const int k_1 = ((slice * 16) + (element_1 % 16));
          tile[((element_1 / 16) + ((element_1 % 16) * 32))] = (((at_1 < m) && (k_1 < 8)) ? K[(((batch * 8) + (at_1 * 16)) + k_1)] : 0.0f);
        }
      }
      __syncthreads();
      {
        const int item_3 = (int)threadIdx.x;
        for (int k_2 = 0; k_2 < 16; k_2++) {
          #pragma unroll
          for (int n_5 = 0; n_5 < 4; n_5++) {
            #pragma unroll
            for (int n_6 = 0; n_6 < 4; n_6++) {
              scores[((n_5 * 4) + n_6)] = fmaf(row_tile[(((k_2 * 32) + (n_5 * 8)) + (item_3 / 8))], tile[(((k_2 * 32) + (n_6 * 8)) + (item_3 % 8))], scores[((n_5 * 4) + n_6)]);
            }
          }
        }
      }
    }
    {
      const int item_4 = (int)threadIdx.x;
      float best[1];
      #pragma unroll
      for (int n_7 = 0; n_7 < 4; n_7++) {
        best[0] = rv_float_of(0xff800000u);
        #pragma unroll
        for (int n_8 = 0; n_8 < 4; n_8++) {
          const int row_1 = ((row_group * 32) + ((item_4 / 8) + (n_7 * 8)));
          const int key = ((block * 32) + ((item_4 % 8) + (n_8 * 8)));
          scores[((n_7 * 4) + n_8)] = ((((row_1 < n) && (key < m)) && (key <= row_1)) ? ((0.0f + scores[((n_7 * 4) + n_8)]) * 0.35355338f) : rv_float_of(0xff800000u));
          best[0] = rv_max_float(best[0], scores[((n_7 * 4) + n_8)]);
        }
        shares[(item_4 + (n_7 * 64))] = best[0];
      }
    }
    __syncthreads();
    {
      const int item_5 = (int)threadIdx.x;
      float best_1[1];
      for (int turn_3 = 0; turn_3 < 1; turn_3++) {
        const int row_2 = ((turn_3 * 64) + item_5);
        if ((row_2 < 32)) {
          const float before = largest[row_2];
          best_1[0] = before;
          for (int share = 0; share < 8; share++) {
            best_1[0] = rv_max_float(best_1[0], shares[((row_2 * 8) + share)]);
          }
          const float now = best_1[0];
          scale[row_2] = ((before == now) ? 1.0f : expf((before - now)));
          largest[row_2] = now;
        }
      }
    }
    __syncthreads();
    {
      const int item_6 = (int)threadIdx.x;
      float total[1];
      #pragma unroll
      for (int n_9 = 0; n_9 < 4; n_9++) {
        total[0] = 0.0f;
        #pragma unroll
        for (int n_10 = 0; n_10 < 4; n_10++) {
          const int row_3 = ((row_group * 32) + ((item_6 / 8) + (n_9 * 8)));
          const int key_1 = ((block * 32) + ((item_6 % 8) + (n_10 * 8)));
          const float weight = ((((row_3 < n) && (key_1 < m)) && (key_1 <= row_3)) ? ((scores[((n_9 * 4) + n_10)] == rv_float_of(0xff800000u)) ? 0.0f : expf((scores[((n_9 * 4) + n_10)] - largest[((n_9 * 8) + (item_6 / 8))]))) : (-1.0f));
          weights[((((n_9 * 264) + (n_10 * 8)) + ((item_6 / 8) * 33)) + (item_6 % 8))] = weight;
          total[0] = (total[0] + ((weight < 0.0f) ? 0.0f : weight));
        }
        shares[(item_6 + (n_9 * 64))] = total[0];
        #pragma unroll
        for (int n_11 = 0; n_11 < 1; n_11++) {
          weighted[n_9] = (weighted[n_9] * scale[((n_9 * 8) + (item_6 / 8))]);
        }
      }
    }
    __syncthreads();
    {
      const int item_7 = (int)threadIdx.x;
      float total_1[1];
      for (int turn_4 = 0; turn_4 < 1; turn_4++) {
        const int row_4 = ((turn_4 * 64) + item_7);
        if ((row_4 < 32)) {
          total_1[0] = (sum[row_4] * scale[row_4]);
          for (int share_1 = 0; share_1 < 8; share_1++) {
            total_1[0] = (total_1[0] + shares[((row_4 * 8) + share_1)]);
          }
          sum[row_4] = total_1[0];
        }
      }
    }
    for (int slice_1 = 0; slice_1 < 2; slice_1++) {
      __syncthreads();
      {
        const int item_8 = (int)threadIdx.x;
        for (int turn_5 = 0; turn_5 < 2; turn_5++) {
          const int element_2 = ((turn_5 * 64) + item_8);
          const int at_2 = (element_2 % 8);
          const int k_3 = (((block * 32) + (slice_1 * 16)) + (element_2 / 8));
          tile[element_2] = (((at_2 < 8) && (k_3 < m)) ? V[(((batch * 8) + at_2) + (k_3 * 16))] : 0.0f);
        }
      }
      __syncthreads();
      {
        const int item_9 = (int)threadIdx.x;
        for (int k_4 = 0; k_4 < 16; k_4++) {
          #pragma unroll
          for (int n_12 = 0; n_12 < 4; n_12++) {
            #pragma unroll
            for (int n_13 = 0; n_13 < 1; n_13++) {
              weighted[n_12] = ((weights[((((slice_1 * 16) + k_4) + (n_12 * 264)) + ((item_9 / 8) * 33))] < 0.0f) ? weighted[n_12] : fmaf(weights[((((slice_1 * 16) + k_4) + (n_12 * 264)) + ((item_9 / 8) * 33))], tile[((k_4 * 8) + (item_9 % 8))], weighted[n_12]));
            }
          }
        }
      }
    }
  }
  __syncthreads();
  {
    const int item_10 = (int)threadIdx.x;
    #pragma unroll
    for (int n_14 = 0; n_14 < 4; n_14++) {
      #pragma unroll
      for (int n_15 = 0; n_15 < 1; n_15++) {
        const int row_5 = ((row_group * 32) + ((item_10 / 8) + (n_14 * 8)));
        const int column = ((item_10 % 8) + (n_15 * 8));
        if (((row_5 < n) && (column < 8))) {
          const float mean = (weighted[n_14] / sum[((n_14 * 8) + (item_10 / 8))]);
          a[(((batch * 8) + (row_5 * 16)) + column)] = ((m == 0) ? 0.0f : mean);
        }
      }
    }
  }
}
