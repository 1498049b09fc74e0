// row_times_matrix_0: groups of 32, 1024 bytes shared
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
extern "C" __global__ void __launch_bounds__(32)
row_times_matrix_0(const unsigned short* B, const unsigned short* A, unsigned short* C) {
  __shared__ __align__(16) float sum_parts[256];
  const int column_group = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    const int column = ((column_group * 32) + ((item % 4) * 8));
    float sums[8];
    #pragma unroll
    for (int r = 0; r < 1; r++) {
      #pragma unroll
      for (int c = 0; c < 8; c++) {
        sums[c] = 0.0f;
      }
    }
    for (int turn = 0; turn < 1; turn++) {
      const int number = ((turn * 8) + (item / 4));
      if ((number < 8)) {
        const int k = (number * 8);
        float weights_0[8];
        float weights_1[8];
        float weights_2[8];
        float weights_3[8];
        float weights_4[8];
        float weights_5[8];
        float weights_6[8];
        float weights_7[8];
        {
          rv_vector<unsigned short, 8> rv_v0;
          rv_vector<unsigned short, 8> rv_v1;
          rv_vector<unsigned short, 8> rv_v2;
          rv_vector<unsigned short, 8> rv_v3;
          rv_vector<unsigned short, 8> rv_v4;
          rv_vector<unsigned short, 8> rv_v5;
          rv_vector<unsigned short, 8> rv_v6;
          rv_vector<unsigned short, 8> rv_v7;
          if (rv_is_aligned(rv_v0, B + (column + (k * 96))) && rv_is_aligned(rv_v1, B + ((column + (k * 96)) + 96)) && rv_is_aligned(rv_v2, B + ((column + (k * 96)) + 192)) && rv_is_aligned(rv_v3, B + ((column + (k * 96)) + 288)) && rv_is_aligned(rv_v4, B + ((column + (k * 96)) + 384)) && rv_is_aligned(rv_v5, B + ((column + (k * 96)) + 480)) && rv_is_aligned(rv_v6, B + ((column + (k * 96)) + 576)) && rv_is_aligned(rv_v7, B + ((column + (k * 96)) + 672))) {
            rv_load_at_once(rv_v0, B + (column + (k * 96)));
            rv_load_at_once(rv_v1, B + ((column + (k * 96)) + 96));
            rv_load_at_once(rv_v2, B + ((column + (k * 96)) + 192));
            rv_load_at_once(rv_v3, B + ((column + (k * 96)) + 288));
            rv_load_at_once(rv_v4, B + ((column + (k * 96)) + 384));
            rv_load_at_once(rv_v5, B + ((column + (k * 96)) + 480));
            rv_load_at_once(rv_v6, B + ((column + (k * 96)) + 576));
            rv_load_at_once(rv_v7, B + ((column + (k * 96)) + 672));
          } else {
            rv_load(rv_v0, B + (column + (k * 96)));
            rv_load(rv_v1, B + ((column + (k * 96)) + 96));
            rv_load(rv_v2, B + ((column + (k * 96)) + 192));
            rv_load(rv_v3, B + ((column + (k * 96)) + 288));
            rv_load(rv_v4, B + ((column + (k * 96)) + 384));
            rv_load(rv_v5, B + ((column + (k * 96)) + 480));
            rv_load(rv_v6, B + ((column + (k * 96)) + 576));
            rv_load(rv_v7, B + ((column + (k * 96)) + 672));
          }
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) weights_0[rv_i] = rv_of_f16(rv_v0.at[rv_i]);
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) weights_1[rv_i] = rv_of_f16(rv_v1.at[rv_i]);
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) weights_2[rv_i] = rv_of_f16(rv_v2.at[rv_i]);
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) weights_3[rv_i] = rv_of_f16(rv_v3.at[rv_i]);
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) weights_4[rv_i] = rv_of_f16(rv_v4.at[rv_i]);
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) weights_5[rv_i] = rv_of_f16(rv_v5.at[rv_i]);
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) weights_6[rv_i] = rv_of_f16(rv_v6.at[rv_i]);
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) weights_7[rv_i] = rv_of_f16(rv_v7.at[rv_i]);
        }
        #pragma unroll
        for (int r_1 = 0; r_1 < 1; r_1++) {
          float values[8];
          {
            rv_vector<unsigned short, 8> rv_v;
            rv_load(rv_v, A + k);
            #pragma unroll
            for (int rv_i = 0; rv_i < 8; rv_i++) values[rv_i] = rv_of_f16(rv_v.at[rv_i]);
          }
          #pragma unroll
          for (int lane = 0; lane < 8; lane++) {
            sums[lane] = fmaf(values[0], weights_0[lane], sums[lane]);
          }
          #pragma unroll
          for (int lane_1 = 0; lane_1 < 8; lane_1++) {
            sums[lane_1] = fmaf(values[1], weights_1[lane_1], sums[lane_1]);
          }
          #pragma unroll
          for (int lane_2 = 0; lane_2 < 8; lane_2++) {
            sums[lane_2] = fmaf(values[2], weights_2[lane_2], sums[lane_2]);
          }
          #pragma unroll
          for (int lane_3 = 0; lane_3 < 8; lane_3++) {
            sums[lane_3] = fmaf(values[3], weights_3[lane_3], sums[lane_3]);
          }
          #pragma unroll
          for (int lane_4 = 0; lane_4 < 8; lane_4++) {
            sums[lane_4] = fmaf(values[4], weights_4[lane_4], sums[lane_4]);
          }
          #pragma unroll
          for (int lane_5 = 0; lane_5 < 8; lane_5++) {
            sums[lane_5] = fmaf(values[5], weights_5[lane_5], sums[lane_5]);
          }
          #pragma unroll
          for (int lane_6 = 0; lane_6 < 8; lane_6++) {
            sums[lane_6] = fmaf(values[6], weights_6[lane_6], sums[lane_6]);
          }
          #pragma unroll
          for (int lane_7 = 0; lane_7 < 8; lane_7++) {
            sums[lane_7] = fmaf(values[7], weights_7[lane_7], sums[lane_7]);
          }
        }
      }
    }
    #pragma unroll
    for (int r_2 = 0; r_2 < 1; r_2++) {
      #pragma unroll
      for (int c_1 = 0; c_1 < 8; c_1++) {
        sum_parts[(item + (c_1 * 32))] = sums[c_1];
      }
    }
  }
  __syncthreads();
  {
    const int item_1 = (int)threadIdx.x;
    if ((item_1 < 16)) {
      #pragma unroll
      for (int sum = 0; sum < 8; sum++) {
        sum_parts[(item_1 + (sum * 32))] = (sum_parts[(item_1 + (sum * 32))] + sum_parts[((item_1 + (sum * 32)) + 16)]);
      }
    }
  }
  __syncthreads();
  {
    const int item_2 = (int)threadIdx.x;
    if ((item_2 < 8)) {
      #pragma unroll
      for (int sum_1 = 0; sum_1 < 8; sum_1++) {
        sum_parts[(item_2 + (sum_1 * 32))] = (sum_parts[(item_2 + (sum_1 * 32))] + sum_parts[((item_2 + (sum_1 * 32)) + 8)]);
      }
    }
  }
  __syncthreads();
  {
    const int item_3 = (int)threadIdx.x;
    if ((item_3 < 4)) {
      #pragma unroll
      for (int sum_2 = 0; sum_2 < 8; sum_2++) {
        sum_parts[(item_3 + (sum_2 * 32))] = (sum_parts[(item_3 + (sum_2 * 32))] + sum_parts[((item_3 + (sum_2 * 32)) + 4)]);
      }
    }
  }
  __syncthreads();
  {
    const int item_4 = (int)threadIdx.x;
    for (int turn_1 = 0; turn_1 < 1; turn_1++) {
      const int i = ((turn_1 * 32) + item_4);
      if ((i < 32)) {
        const int row = (i / 32);
        const int in_group = (i % 32);
        const int column_1 = ((column_group * 32) + in_group);
        const float result = (0.0f + sum_parts[(((row * 256) + ((in_group % 8) * 32)) + (in_group / 8))]);
        C[((row * 96) + column_1)] = rv_f16(rv_half(result));
      }
    }
  }
}
