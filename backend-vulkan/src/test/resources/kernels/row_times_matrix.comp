#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_16bit_storage : require
//! rv_f16
// The bits of the float16 that is nearest to a float.
uint rv_f16(float x) {
  uint u = floatBitsToUint(x), a = u & 0x7fffffffu, s = u >> 16 & 0x8000u;
  if (a > 0x7f800000u) return s | 0x7e00u | (a >> 13 & 0x3ffu);
  if (a >= 0x477ff000u) return s | 0x7c00u;
  if (a >= 0x38800000u) return s | (a - 0x38000000u + 0xfffu + (a >> 13 & 1u)) >> 13;
  uint e = a >> 23;
  if (e < 102u) return s;
  uint m = a & 0x7fffffu | 0x800000u, n = 126u - e;
  return s | (m + (1u << (n - 1u)) - 1u + (m >> n & 1u)) >> n;
}

//! rv_of_f16
// The bits of a float16 as a float.
float rv_of_f16(uint h) {
  uint s = (h & 0x8000u) << 16, e = h >> 10 & 0x1fu, m = h & 0x3ffu;
  if (e == 0u) return uintBitsToFloat(s | floatBitsToUint(float(m) * 5.9604644775390625e-8f));
  return uintBitsToFloat(s | (e == 31u ? 0x7f800000u : (e + 112u) << 23) | m << 13);
}

//! rv_half needs rv_of_f16, rv_f16
// A float rounded to float16.
float rv_half(float x) { return rv_of_f16(rv_f16(x)); }

//! kernel row_times_matrix_0: groups of 32, 3 buffers, 12 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { uint16_t B[]; };
layout(set = 0, binding = 1, std430) readonly buffer rv_buffer1 { uint16_t A[]; };
layout(set = 0, binding = 2, std430) buffer rv_buffer2 { uint16_t C[]; };
layout(push_constant, std430) uniform rv_arguments {
  int B_at;
  int A_at;
  int C_at;
};
shared float sum_parts[256];
void main() {
  const int column_group = int(gl_WorkGroupID.x);
  {
    const int item = int(gl_LocalInvocationID.x);
    const int column = ((column_group * 32) + ((item % 4) * 8));
    float sums[8];
    [[unroll]]
    for (int r = 0; r < 1; r++) {
      [[unroll]]
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
        weights_0[0] = rv_of_f16(uint(B[B_at + (column + (k * 96)) + 0]));
        weights_0[1] = rv_of_f16(uint(B[B_at + (column + (k * 96)) + 1]));
        weights_0[2] = rv_of_f16(uint(B[B_at + (column + (k * 96)) + 2]));
        weights_0[3] = rv_of_f16(uint(B[B_at + (column + (k * 96)) + 3]));
        weights_0[4] = rv_of_f16(uint(B[B_at + (column + (k * 96)) + 4]));
        weights_0[5] = rv_of_f16(uint(B[B_at + (column + (k * 96)) + 5]));
        weights_0[6] = rv_of_f16(uint(B[B_at + (column + (k * 96)) + 6]));
        weights_0[7] = rv_of_f16(uint(B[B_at + (column + (k * 96)) + 7]));
        weights_1[0] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 96) + 0]));
        weights_1[1] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 96) + 1]));
        weights_1[2] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 96) + 2]));
        weights_1[3] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 96) + 3]));
        weights_1[4] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 96) + 4]));
        weights_1[5] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 96) + 5]));
        weights_1[6] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 96) + 6]));
        weights_1[7] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 96) + 7]));
        weights_2[0] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 192) + 0]));
        weights_2[1] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 192) + 1]));
        weights_2[2] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 192) + 2]));
        weights_2[3] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 192) + 3]));
        weights_2[4] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 192) + 4]));
        weights_2[5] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 192) + 5]));
        weights_2[6] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 192) + 6]));
        weights_2[7] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 192) + 7]));
        weights_3[0] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 288) + 0]));
        weights_3[1] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 288) + 1]));
        weights_3[2] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 288) + 2]));
        weights_3[3] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 288) + 3]));
        weights_3[4] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 288) + 4]));
        weights_3[5] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 288) + 5]));
        weights_3[6] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 288) + 6]));
        weights_3[7] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 288) + 7]));
        weights_4[0] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 384) + 0]));
        weights_4[1] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 384) + 1]));
        weights_4[2] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 384) + 2]));
        weights_4[3] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 384) + 3]));
        weights_4[4] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 384) + 4]));
        weights_4[5] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 384) + 5]));
        weights_4[6] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 384) + 6]));
        weights_4[7] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 384) + 7]));
        weights_5[0] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 480) + 0]));
        weights_5[1] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 480) + 1]));
        weights_5[2] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 480) + 2]));
        weights_5[3] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 480) + 3]));
        weights_5[4] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 480) + 4]));
        weights_5[5] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 480) + 5]));
        weights_5[6] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 480) + 6]));
        weights_5[7] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 480) + 7]));
        weights_6[0] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 576) + 0]));
        weights_6[1] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 576) + 1]));
        weights_6[2] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 576) + 2]));
        weights_6[3] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 576) + 3]));
        weights_6[4] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 576) + 4]));
        weights_6[5] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 576) + 5]));
        weights_6[6] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 576) + 6]));
        weights_6[7] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 576) + 7]));
        weights_7[0] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 672) + 0]));
        weights_7[1] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 672) + 1]));
        weights_7[2] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 672) + 2]));
        weights_7[3] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 672) + 3]));
        weights_7[4] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 672) + 4]));
        weights_7[5] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 672) + 5]));
        weights_7[6] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 672) + 6]));
        weights_7[7] = rv_of_f16(uint(B[B_at + ((column + (k * 96)) + 672) + 7]));
        [[unroll]]
        for (int r_1 = 0; r_1 < 1; r_1++) {
          float values[8];
          values[0] = rv_of_f16(uint(A[A_at + k + 0]));
          values[1] = rv_of_f16(uint(A[A_at + k + 1]));
          values[2] = rv_of_f16(uint(A[A_at + k + 2]));
          values[3] = rv_of_f16(uint(A[A_at + k + 3]));
          values[4] = rv_of_f16(uint(A[A_at + k + 4]));
          values[5] = rv_of_f16(uint(A[A_at + k + 5]));
          values[6] = rv_of_f16(uint(A[A_at + k + 6]));
          values[7] = rv_of_f16(uint(A[A_at + k + 7]));
          [[unroll]]
          for (int lane = 0; lane < 8; lane++) {
            sums[lane] = fma(values[0], weights_0[lane], sums[lane]);
          }
          [[unroll]]
          for (int lane_1 = 0; lane_1 < 8; lane_1++) {
            sums[lane_1] = fma(values[1], weights_1[lane_1], sums[lane_1]);
          }
          [[unroll]]
          for (int lane_2 = 0; lane_2 < 8; lane_2++) {
            sums[lane_2] = fma(values[2], weights_2[lane_2], sums[lane_2]);
          }
          [[unroll]]
          for (int lane_3 = 0; lane_3 < 8; lane_3++) {
            sums[lane_3] = fma(values[3], weights_3[lane_3], sums[lane_3]);
          }
          [[unroll]]
          for (int lane_4 = 0; lane_4 < 8; lane_4++) {
            sums[lane_4] = fma(values[4], weights_4[lane_4], sums[lane_4]);
          }
          [[unroll]]
          for (int lane_5 = 0; lane_5 < 8; lane_5++) {
            sums[lane_5] = fma(values[5], weights_5[lane_5], sums[lane_5]);
          }
          [[unroll]]
          for (int lane_6 = 0; lane_6 < 8; lane_6++) {
            sums[lane_6] = fma(values[6], weights_6[lane_6], sums[lane_6]);
          }
          [[unroll]]
          for (int lane_7 = 0; lane_7 < 8; lane_7++) {
            sums[lane_7] = fma(values[7], weights_7[lane_7], sums[lane_7]);
          }
        }
      }
    }
    [[unroll]]
    for (int r_2 = 0; r_2 < 1; r_2++) {
      [[unroll]]
      for (int c_1 = 0; c_1 < 8; c_1++) {
        sum_parts[(item + (c_1 * 32))] = sums[c_1];
      }
    }
  }
  barrier();
  {
    const int item_1 = int(gl_LocalInvocationID.x);
    if ((item_1 < 16)) {
      [[unroll]]
      for (int sum = 0; sum < 8; sum++) {
        sum_parts[(item_1 + (sum * 32))] = (sum_parts[(item_1 + (sum * 32))] + sum_parts[((item_1 + (sum * 32)) + 16)]);
      }
    }
  }
  barrier();
  {
    const int item_2 = int(gl_LocalInvocationID.x);
    if ((item_2 < 8)) {
      [[unroll]]
      for (int sum_1 = 0; sum_1 < 8; sum_1++) {
        sum_parts[(item_2 + (sum_1 * 32))] = (sum_parts[(item_2 + (sum_1 * 32))] + sum_parts[((item_2 + (sum_1 * 32)) + 8)]);
      }
    }
  }
  barrier();
  {
    const int item_3 = int(gl_LocalInvocationID.x);
    if ((item_3 < 4)) {
      [[unroll]]
      for (int sum_2 = 0; sum_2 < 8; sum_2++) {
        sum_parts[(item_3 + (sum_2 * 32))] = (sum_parts[(item_3 + (sum_2 * 32))] + sum_parts[((item_3 + (sum_2 * 32)) + 4)]);
      }
    }
  }
  barrier();
  {
    const int item_4 = int(gl_LocalInvocationID.x);
    for (int turn_1 = 0; turn_1 < 1; turn_1++) {
      const int i = ((turn_1 * 32) + item_4);
      if ((i < 32)) {
        const int row = (i / 32);
        const int in_group = (i % 32);
        const int column_1 = ((column_group * 32) + in_group);
        const float result = (0.0f + sum_parts[(((row * 256) + ((in_group % 8) * 32)) + (in_group / 8))]);
        C[C_at + ((row * 96) + column_1)] = uint16_t(rv_f16(rv_half(result)));
      }
    }
  }
}
