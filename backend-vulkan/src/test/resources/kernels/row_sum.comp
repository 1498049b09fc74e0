#version 460
//! kernel row_sum_0: groups of 64, 2 buffers, 20 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { float A[]; };
layout(set = 0, binding = 1, std430) buffer rv_buffer1 { float C[]; };
layout(push_constant, std430) uniform rv_arguments {
  int A_at;
  int C_at;
  int n;
  int m;
  int row_first;
};
shared float C_parts[64];
void main() {
  const int row = int(gl_WorkGroupID.x) + row_first;
  {
    const int item = int(gl_LocalInvocationID.x);
    float C_acc[1];
    C_acc[0] = 0.0f;
    for (int turn = 0; turn < ((m + 63) / 64); turn++) {
      const int k = ((turn * 64) + item);
      if ((k < m)) {
        C_acc[0] = (C_acc[0] + A[A_at + ((row * m) + k)]);
      }
    }
    C_parts[item] = C_acc[0];
  }
  barrier();
  {
    const int item_1 = int(gl_LocalInvocationID.x);
    if ((item_1 < 32)) {
      C_parts[item_1] = (C_parts[item_1] + C_parts[(item_1 + 32)]);
    }
  }
  barrier();
  {
    const int item_2 = int(gl_LocalInvocationID.x);
    if ((item_2 < 16)) {
      C_parts[item_2] = (C_parts[item_2] + C_parts[(item_2 + 16)]);
    }
  }
  barrier();
  {
    const int item_3 = int(gl_LocalInvocationID.x);
    if ((item_3 < 8)) {
      C_parts[item_3] = (C_parts[item_3] + C_parts[(item_3 + 8)]);
    }
  }
  barrier();
  {
    const int item_4 = int(gl_LocalInvocationID.x);
    if ((item_4 < 4)) {
      C_parts[item_4] = (C_parts[item_4] + C_parts[(item_4 + 4)]);
    }
  }
  barrier();
  {
    const int item_5 = int(gl_LocalInvocationID.x);
    if ((item_5 < 2)) {
      C_parts[item_5] = (C_parts[item_5] + C_parts[(item_5 + 2)]);
    }
  }
  barrier();
  {
    const int item_6 = int(gl_LocalInvocationID.x);
    if ((item_6 < 1)) {
      C_parts[0] = (C_parts[0] + C_parts[1]);
    }
  }
  barrier();
  {
    const int item_7 = int(gl_LocalInvocationID.x);
    if ((item_7 < 1)) {
      const float result = (0.0f + C_parts[0]);
      C[C_at + row] = result;
    }
  }
}
