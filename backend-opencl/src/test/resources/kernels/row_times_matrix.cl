// row_times_matrix_0: groups of 32, 1024 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline float rv_half(float x) {
  uint u = as_uint(x), a = u & 0x7fffffffu, s = u & 0x80000000u;
  if (a >= 0x7f800000u) return x;
  if (a >= 0x477ff000u) return as_float(s | 0x7f800000u);
  if (a < 0x38800000u) return as_float(s | as_uint(rint(as_float(a) * 16777216.0f) * 5.9604644775390625e-8f));
  return as_float(s | ((a + 0xfffu + (a >> 13 & 1u)) & 0xffffe000u));
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void row_times_matrix_0(__global half* B, int B_at, __global half* A, int A_at, __global half* C, int C_at) {
  __local float sum_parts[256];
  const int column_group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
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
        vstore8(vload_half8(0, B + B_at + (column + (k * 96))), 0, weights_0);
        vstore8(vload_half8(0, B + B_at + ((column + (k * 96)) + 96)), 0, weights_1);
        vstore8(vload_half8(0, B + B_at + ((column + (k * 96)) + 192)), 0, weights_2);
        vstore8(vload_half8(0, B + B_at + ((column + (k * 96)) + 288)), 0, weights_3);
        vstore8(vload_half8(0, B + B_at + ((column + (k * 96)) + 384)), 0, weights_4);
        vstore8(vload_half8(0, B + B_at + ((column + (k * 96)) + 480)), 0, weights_5);
        vstore8(vload_half8(0, B + B_at + ((column + (k * 96)) + 576)), 0, weights_6);
        vstore8(vload_half8(0, B + B_at + ((column + (k * 96)) + 672)), 0, weights_7);
        #pragma unroll
        for (int r_1 = 0; r_1 < 1; r_1++) {
          #pragma OPENCL FP_CONTRACT ON
          float values[8];
          vstore8(vload_half8(0, A + A_at + k), 0, values);
          #pragma unroll
          for (int lane = 0; lane < 8; lane++) {
            sums[lane] = (sums[lane] + (values[0] * weights_0[lane]));
          }
          #pragma unroll
          for (int lane_1 = 0; lane_1 < 8; lane_1++) {
            sums[lane_1] = (sums[lane_1] + (values[1] * weights_1[lane_1]));
          }
          #pragma unroll
          for (int lane_2 = 0; lane_2 < 8; lane_2++) {
            sums[lane_2] = (sums[lane_2] + (values[2] * weights_2[lane_2]));
          }
          #pragma unroll
          for (int lane_3 = 0; lane_3 < 8; lane_3++) {
            sums[lane_3] = (sums[lane_3] + (values[3] * weights_3[lane_3]));
          }
          #pragma unroll
          for (int lane_4 = 0; lane_4 < 8; lane_4++) {
            sums[lane_4] = (sums[lane_4] + (values[4] * weights_4[lane_4]));
          }
          #pragma unroll
          for (int lane_5 = 0; lane_5 < 8; lane_5++) {
            sums[lane_5] = (sums[lane_5] + (values[5] * weights_5[lane_5]));
          }
          #pragma unroll
          for (int lane_6 = 0; lane_6 < 8; lane_6++) {
            sums[lane_6] = (sums[lane_6] + (values[6] * weights_6[lane_6]));
          }
          #pragma unroll
          for (int lane_7 = 0; lane_7 < 8; lane_7++) {
            sums[lane_7] = (sums[lane_7] + (values[7] * weights_7[lane_7]));
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
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_1 = (int)get_local_id(0);
    if ((item_1 < 16)) {
      #pragma unroll
      for (int sum = 0; sum < 8; sum++) {
        sum_parts[(item_1 + (sum * 32))] = (sum_parts[(item_1 + (sum * 32))] + sum_parts[((item_1 + (sum * 32)) + 16)]);
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_2 = (int)get_local_id(0);
    if ((item_2 < 8)) {
      #pragma unroll
      for (int sum_1 = 0; sum_1 < 8; sum_1++) {
        sum_parts[(item_2 + (sum_1 * 32))] = (sum_parts[(item_2 + (sum_1 * 32))] + sum_parts[((item_2 + (sum_1 * 32)) + 8)]);
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_3 = (int)get_local_id(0);
    if ((item_3 < 4)) {
      #pragma unroll
      for (int sum_2 = 0; sum_2 < 8; sum_2++) {
        sum_parts[(item_3 + (sum_2 * 32))] = (sum_parts[(item_3 + (sum_2 * 32))] + sum_parts[((item_3 + (sum_2 * 32)) + 4)]);
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_4 = (int)get_local_id(0);
    for (int turn_1 = 0; turn_1 < 1; turn_1++) {
      const int i = ((turn_1 * 32) + item_4);
      if ((i < 32)) {
        const int row = (i / 32);
        const int in_group = (i % 32);
        const int column_1 = ((column_group * 32) + in_group);
        const float result = (0.0f + sum_parts[(((row * 256) + ((in_group % 8) * 32)) + (in_group / 8))]);
        vstore_half_rte(rv_half(result), C_at + ((row * 96) + column_1), C);
      }
    }
  }
}
