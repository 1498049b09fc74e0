// row_sum_0: groups of 64, 256 bytes shared
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void row_sum_0(__global float* A, int A_at, __global float* C, int C_at, int n, int m) {
  __local float C_parts[64];
  const int row = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
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
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_1 = (int)get_local_id(0);
    if ((item_1 < 32)) {
      C_parts[item_1] = (C_parts[item_1] + C_parts[(item_1 + 32)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_2 = (int)get_local_id(0);
    if ((item_2 < 16)) {
      C_parts[item_2] = (C_parts[item_2] + C_parts[(item_2 + 16)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_3 = (int)get_local_id(0);
    if ((item_3 < 8)) {
      C_parts[item_3] = (C_parts[item_3] + C_parts[(item_3 + 8)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_4 = (int)get_local_id(0);
    if ((item_4 < 4)) {
      C_parts[item_4] = (C_parts[item_4] + C_parts[(item_4 + 4)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_5 = (int)get_local_id(0);
    if ((item_5 < 2)) {
      C_parts[item_5] = (C_parts[item_5] + C_parts[(item_5 + 2)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_6 = (int)get_local_id(0);
    if ((item_6 < 1)) {
      C_parts[0] = (C_parts[0] + C_parts[1]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_7 = (int)get_local_id(0);
    if ((item_7 < 1)) {
      const float result = (0.0f + C_parts[0]);
      C[C_at + row] = result;
    }
  }
}
