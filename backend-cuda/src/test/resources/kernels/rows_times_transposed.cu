// rows_times_transposed_0: groups of 32, 1024 bytes shared
// Elements that lie beside each other, at once where their address allows it.
template <typename T, int N> struct alignas(N * sizeof(T)) rv_vector { T at[N]; };
template <typename T, int N> static __device__ inline bool rv_is_aligned(const rv_vector<T, N>& v, const T* at) {
  return ((unsigned long long)at & (sizeof(v) - 1)) == 0;
}
template <typename T, int N> static __device__ inline void rv_load_at_once(rv_vector<T, N>& v, const T* from) {
  v = *(const rv_vector<T, N>*)from;
}
template <typename T, int N> static __device__ inline void rv_load(rv_vector<T, N>& v, const T* from) {
  if (rv_is_aligned(v, from)) {
    rv_load_at_once(v, from);
  } else {
    #pragma unroll
    for (int i = 0; i < N; i++) v.at[i] = from[i];
  }
}
template <typename T, int N> static __device__ inline void rv_store(const rv_vector<T, N>& v, T* to) {
  if (rv_is_aligned(v, to)) {
    *(rv_vector<T, N>*)to = v;
  } else {
    #pragma unroll
    for (int i = 0; i < N; i++) to[i] = v.at[i];
  }
}
static __device__ inline int rv_min_int32(int a, int b) { return a != a || a < b ? a : b; }
extern "C" __global__ void __launch_bounds__(32)
rows_times_transposed_0(const float* B, const float* A, float* C) {
  __shared__ __align__(16) float sum_parts[256];
  const int column_group = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    const int column = (column_group * 4);
    float sums[8];
    #pragma unroll
    for (int r = 0; r < 2; r++) {
      #pragma unroll
      for (int c = 0; c < 4; c++) {
        sums[((r * 4) + c)] = 0.0f;
      }
    }
    for (int turn = 0; turn < 1; turn++) {
      const int number = ((turn * 32) + item);
      if ((number < 17)) {
        const int k = (number * 4);
        float weights_0[4];
        float weights_1[4];
        float weights_2[4];
        float weights_3[4];
        {
          rv_vector<float, 4> rv_v0;
          rv_vector<float, 4> rv_v1;
          rv_vector<float, 4> rv_v2;
          rv_vector<float, 4> rv_v3;
          if (rv_is_aligned(rv_v0, B + (k + (rv_min_int32(column, 69) * 70))) && rv_is_aligned(rv_v1, B + (k + (rv_min_int32((column + 1), 69) * 70))) && rv_is_aligned(rv_v2, B + (k + (rv_min_int32((column + 2), 69) * 70))) && rv_is_aligned(rv_v3, B + (k + (rv_min_int32((column + 3), 69) * 70)))) {
            rv_load_at_once(rv_v0, B + (k + (rv_min_int32(column, 69) * 70)));
            rv_load_at_once(rv_v1, B + (k + (rv_min_int32((column + 1), 69) * 70)));
            rv_load_at_once(rv_v2, B + (k + (rv_min_int32((column + 2), 69) * 70)));
            rv_load_at_once(rv_v3, B + (k + (rv_min_int32((column + 3), 69) * 70)));
          } else {
            rv_load(rv_v0, B + (k + (rv_min_int32(column, 69) * 70)));
            rv_load(rv_v1, B + (k + (rv_min_int32((column + 1), 69) * 70)));
            rv_load(rv_v2, B + (k + (rv_min_int32((column + 2), 69) * 70)));
            rv_load(rv_v3, B + (k + (rv_min_int32((column + 3), 69) * 70)));
          }
          #pragma unroll
          for (int rv_i = 0; rv_i < 4; rv_i++) weights_0[rv_i] = rv_v0.at[rv_i];
          #pragma unroll
          for (int rv_i = 0; rv_i < 4; rv_i++) weights_1[rv_i] = rv_v1.at[rv_i];
          #pragma unroll
          for (int rv_i = 0; rv_i < 4; rv_i++) weights_2[rv_i] = rv_v2.at[rv_i];
          #pragma unroll
          for (int rv_i = 0; rv_i < 4; rv_i++) weights_3[rv_i] = rv_v3.at[rv_i];
        }
        #pragma unroll
        for (int r_1 = 0; r_1 < 2; r_1++) {
          float values[4];
          {
            rv_vector<float, 4> rv_v;
            rv_load(rv_v, A + (k + (r_1 * 70)));
            #pragma unroll
            for (int rv_i = 0; rv_i < 4; rv_i++) values[rv_i] = rv_v.at[rv_i];
          }
          #pragma unroll
          for (int lane = 0; lane < 4; lane++) {
            sums[(r_1 * 4)] = fmaf(values[lane], weights_0[lane], sums[(r_1 * 4)]);
          }
          #pragma unroll
          for (int lane_1 = 0; lane_1 < 4; lane_1++) {
            sums[((r_1 * 4) + 1)] = fmaf(values[lane_1], weights_1[lane_1], sums[((r_1 * 4) + 1)]);
          }
          #pragma unroll
          for (int lane_2 = 0; lane_2 < 4; lane_2++) {
            sums[((r_1 * 4) + 2)] = fmaf(values[lane_2], weights_2[lane_2], sums[((r_1 * 4) + 2)]);
          }
          #pragma unroll
          for (int lane_3 = 0; lane_3 < 4; lane_3++) {
            sums[((r_1 * 4) + 3)] = fmaf(values[lane_3], weights_3[lane_3], sums[((r_1 * 4) + 3)]);
          }
        }
      }
    }
    const int k_1 = (68 + item);
    if ((k_1 < 70)) {
      float weights_0_1[1];
      float weights_1_1[1];
      float weights_2_1[1];
      float weights_3_1[1];
      weights_0_1[0] = B[((rv_min_int32(column, 69) * 70) + k_1)];
      weights_1_1[0] = B[((rv_min_int32((column + 1), 69) * 70) + k_1)];
      weights_2_1[0] = B[((rv_min_int32((column + 2), 69) * 70) + k_1)];
      weights_3_1[0] = B[((rv_min_int32((column + 3), 69) * 70) + k_1)];
      #pragma unroll
      for (int r_2 = 0; r_2 < 2; r_2++) {
        float values_1[1];
        values_1[0] = A[(k_1 + (r_2 * 70))];
        #pragma unroll
        for (int lane_4 = 0; lane_4 < 1; lane_4++) {
          sums[(r_2 * 4)] = fmaf(values_1[0], weights_0_1[0], sums[(r_2 * 4)]);
        }
        #pragma unroll
        for (int lane_5 = 0; lane_5 < 1; lane_5++) {
          sums[((r_2 * 4) + 1)] = fmaf(values_1[0], weights_1_1[0], sums[((r_2 * 4) + 1)]);
        }
        #pragma unroll
        for (int lane_6 = 0; lane_6 < 1; lane_6++) {
          sums[((r_2 * 4) + 2)] = fmaf(values_1[0], weights_2_1[0], sums[((r_2 * 4) + 2)]);
        }
        #pragma unroll
        for (int lane_7 = 0; lane_7 < 1; lane_7++) {
          sums[((r_2 * 4) + 3)] = fmaf(values_1[0], weights_3_1[0], sums[((r_2 * 4) + 3)]);
        }
      }
    }
    #pragma unroll
    for (int r_3 = 0; r_3 < 2; r_3++) {
      #pragma unroll
      for (int c_1 = 0; c_1 < 4; c_1++) {
        sum_parts[((item + (r_3 * 128)) + (c_1 * 32))] = sums[((r_3 * 4) + c_1)];
      }
    }
  }
  __syncthreads();
  {
    #pragma unroll
    for (int rv_r = 0; rv_r < 8; rv_r++)
    {
      float rv_v = sum_parts[rv_r * 32 + threadIdx.x];
      #pragma unroll
      for (int rv_d = 16; rv_d > 0; rv_d /= 2) {
        const float rv_w = __shfl_xor_sync(0xffffffffu, rv_v, rv_d);
        rv_v = rv_v + rv_w;
      }
      if (threadIdx.x == 0) sum_parts[rv_r * 32] = rv_v;
    }
  }
  __syncthreads();
  {
    const int item_1 = (int)threadIdx.x;
    for (int turn_1 = 0; turn_1 < 1; turn_1++) {
      const int i = ((turn_1 * 32) + item_1);
      if ((i < 8)) {
        const int row = (i / 4);
        const int in_group = (i % 4);
        const int column_1 = ((column_group * 4) + in_group);
        if ((column_1 < 70)) {
          const float result = (0.0f + sum_parts[(((row * 128) + ((in_group % 4) * 32)) + (in_group / 4))]);
          C[((row * 70) + column_1)] = result;
        }
      }
    }
  }
}
