#version 460
#extension GL_EXT_control_flow_attributes : require
//! rv_min_int32
int rv_min_int32(int a, int b) { return a < b ? a : b; }
//! kernel rows_times_transposed_0: groups of 32, 3 buffers, 12 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { float B[]; };
layout(set = 0, binding = 1, std430) readonly buffer rv_buffer1 { float A[]; };
layout(set = 0, binding = 2, std430) buffer rv_buffer2 { float C[]; };
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
    const int column = (column_group * 4);
    float sums[8];
    [[unroll]]
    for (int r = 0; r < 2; r++) {
      [[unroll]]
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
        weights_0[0] = B[B_at + (k + (rv_min_int32(column, 69) * 70)) + 0];
        weights_0[1] = B[B_at + (k + (rv_min_int32(column, 69) * 70)) + 1];
        weights_0[2] = B[B_at + (k + (rv_min_int32(column, 69) * 70)) + 2];
        weights_0[3] = B[B_at + (k + (rv_min_int32(column, 69) * 70)) + 3];
        weights_1[0] = B[B_at + (k + (rv_min_int32((column + 1), 69) * 70)) + 0];
        weights_1[1] = B[B_at + (k + (rv_min_int32((column + 1), 69) * 70)) + 1];
        weights_1[2] = B[B_at + (k + (rv_min_int32((column + 1), 69) * 70)) + 2];
        weights_1[3] = B[B_at + (k + (rv_min_int32((column + 1), 69) * 70)) + 3];
        weights_2[0] = B[B_at + (k + (rv_min_int32((column + 2), 69) * 70)) + 0];
        weights_2[1] = B[B_at + (k + (rv_min_int32((column + 2), 69) * 70)) + 1];
        weights_2[2] = B[B_at + (k + (rv_min_int32((column + 2), 69) * 70)) + 2];
        weights_2[3] = B[B_at + (k + (rv_min_int32((column + 2), 69) * 70)) + 3];
        weights_3[0] = B[B_at + (k + (rv_min_int32((column + 3), 69) * 70)) + 0];
        weights_3[1] = B[B_at + (k + (rv_min_int32((column + 3), 69) * 70)) + 1];
        weights_3[2] = B[B_at + (k + (rv_min_int32((column + 3), 69) * 70)) + 2];
        weights_3[3] = B[B_at + (k + (rv_min_int32((column + 3), 69) * 70)) + 3];
        [[unroll]]
        for (int r_1 = 0; r_1 < 2; r_1++) {
          float values[4];
          values[0] = A[A_at + (k + (r_1 * 70)) + 0];
          values[1] = A[A_at + (k + (r_1 * 70)) + 1];
          values[2] = A[A_at + (k + (r_1 * 70)) + 2];
          values[3] = A[A_at + (k + (r_1 * 70)) + 3];
          [[unroll]]
          for (int lane = 0; lane < 4; lane++) {
            sums[(r_1 * 4)] = fma(values[lane], weights_0[lane], sums[(r_1 * 4)]);
          }
          [[unroll]]
          for (int lane_1 = 0; lane_1 < 4; lane_1++) {
            sums[((r_1 * 4) + 1)] = fma(values[lane_1], weights_1[lane_1], sums[((r_1 * 4) + 1)]);
          }
          [[unroll]]
          for (int lane_2 = 0; lane_2 < 4; lane_2++) {
            sums[((r_1 * 4) + 2)] = fma(values[lane_2], weights_2[lane_2], sums[((r_1 * 4) + 2)]);
          }
          [[unroll]]
          for (int lane_3 = 0; lane_3 < 4; lane_3++) {
            sums[((r_1 * 4) + 3)] = fma(values[lane_3], weights_3[lane_3], sums[((r_1 * 4) + 3)]);
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
      weights_0_1[0] = B[B_at + ((rv_min_int32(column, 69) * 70) + k_1)];
      weights_1_1[0] = B[B_at + ((rv_min_int32((column + 1), 69) * 70) + k_1)];
      weights_2_1[0] = B[B_at + ((rv_min_int32((column + 2), 69) * 70) + k_1)];
      weights_3_1[0] = B[B_at + ((rv_min_int32((column + 3), 69) * 70) + k_1)];
      [[unroll]]
      for (int r_2 = 0; r_2 < 2; r_2++) {
        float values_1[1];
        values_1[0] = A[A_at + (k_1 + (r_2 * 70))];
        [[unroll]]
        for (int lane_4 = 0; lane_4 < 1; lane_4++) {
          sums[(r_2 * 4)] = fma(values_1[0], weights_0_1[0], sums[(r_2 * 4)]);
        }
        [[unroll]]
        for (int lane_5 = 0; lane_5 < 1; lane_5++) {
          sums[((r_2 * 4) + 1)] = fma(values_1[0], weights_1_1[0], sums[((r_2 * 4) + 1)]);
        }
        [[unroll]]
        for (int lane_6 = 0; lane_6 < 1; lane_6++) {
          sums[((r_2 * 4) + 2)] = fma(values_1[0], weights_2_1[0], sums[((r_2 * 4) + 2)]);
        }
        [[unroll]]
        for (int lane_7 = 0; lane_7 < 1; lane_7++) {
          sums[((r_2 * 4) + 3)] = fma(values_1[0], weights_3_1[0], sums[((r_2 * 4) + 3)]);
        }
      }
    }
    [[unroll]]
    for (int r_3 = 0; r_3 < 2; r_3++) {
      [[unroll]]
      for (int c_1 = 0; c_1 < 4; c_1++) {
        sum_parts[((item + (r_3 * 128)) + (c_1 * 32))] = sums[((r_3 * 4) + c_1)];
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
    if ((item_4 < 2)) {
      [[unroll]]
      for (int sum_3 = 0; sum_3 < 8; sum_3++) {
        sum_parts[(item_4 + (sum_3 * 32))] = (sum_parts[(item_4 + (sum_3 * 32))] + sum_parts[((item_4 + (sum_3 * 32)) + 2)]);
      }
    }
  }
  barrier();
  {
    const int item_5 = int(gl_LocalInvocationID.x);
    if ((item_5 < 1)) {
      [[unroll]]
      for (int sum_4 = 0; sum_4 < 8; sum_4++) {
        sum_parts[(sum_4 * 32)] = (sum_parts[(sum_4 * 32)] + sum_parts[((sum_4 * 32) + 1)]);
      }
    }
  }
  barrier();
  {
    const int item_6 = int(gl_LocalInvocationID.x);
    for (int turn_1 = 0; turn_1 < 1; turn_1++) {
      const int i = ((turn_1 * 32) + item_6);
      if ((i < 8)) {
        const int row = (i / 4);
        const int in_group = (i % 4);
        const int column_1 = ((column_group * 4) + in_group);
        if ((column_1 < 70)) {
          const float result = (0.0f + sum_parts[(((row * 128) + ((in_group % 4) * 32)) + (in_group / 4))]);
          C[C_at + ((row * 70) + column_1)] = result;
        }
      }
    }
  }
}
