// softmax_0: groups of 64, 520 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline float rv_max_float(float a, float b) { return a != a || a > b ? a : b; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void softmax_0(__global float* P, int P_at, __global float* C, int C_at, int n, int m) {
  __local float X_parts[64];
  __local float S_parts[64];
  __local float X[1];
  __local float S[1];
  const int row = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    float X_acc[1];
    X_acc[0] = (-INFINITY);
    for (int turn = 0; turn < ((m + 63) / 64); turn++) {
      const int k = ((turn * 64) + item);
      if ((k < m)) {
        X_acc[0] = rv_max_float(X_acc[0], P[P_at + ((row * m) + k)]);
      }
    }
    X_parts[item] = X_acc[0];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_1 = (int)get_local_id(0);
    if ((item_1 < 32)) {
      X_parts[item_1] = rv_max_float(X_parts[item_1], X_parts[(item_1 + 32)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_2 = (int)get_local_id(0);
    if ((item_2 < 16)) {
      X_parts[item_2] = rv_max_float(X_parts[item_2], X_parts[(item_2 + 16)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_3 = (int)get_local_id(0);
    if ((item_3 < 8)) {
      X_parts[item_3] = rv_max_float(X_parts[item_3], X_parts[(item_3 + 8)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_4 = (int)get_local_id(0);
    if ((item_4 < 4)) {
      X_parts[item_4] = rv_max_float(X_parts[item_4], X_parts[(item_4 + 4)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_5 = (int)get_local_id(0);
    if ((item_5 < 2)) {
      X_parts[item_5] = rv_max_float(X_parts[item_5], X_parts[(item_5 + 2)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_6 = (int)get_local_id(0);
    if ((item_6 < 1)) {
      X_parts[0] = rv_max_float(X_parts[0], X_parts[1]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_7 = (int)get_local_id(0);
    if ((item_7 < 1)) {
      const float result = rv_max_float((-INFINITY), X_parts[0]);
      X[0] = result;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_8 = (int)get_local_id(0);
    float S_acc[1];
    S_acc[0] = 0.0f;
    for (int turn_1 = 0; turn_1 < ((m + 63) / 64); turn_1++) {
      const int k_1 = ((turn_1 * 64) + item_8);
      if ((k_1 < m)) {
        S_acc[0] = (S_acc[0] + exp((P[P_at + ((row * m) + k_1)] - X[0])));
      }
    }
    S_parts[item_8] = S_acc[0];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_9 = (int)get_local_id(0);
    if ((item_9 < 32)) {
      S_parts[item_9] = (S_parts[item_9] + S_parts[(item_9 + 32)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_10 = (int)get_local_id(0);
    if ((item_10 < 16)) {
      S_parts[item_10] = (S_parts[item_10] + S_parts[(item_10 + 16)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_11 = (int)get_local_id(0);
    if ((item_11 < 8)) {
      S_parts[item_11] = (S_parts[item_11] + S_parts[(item_11 + 8)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_12 = (int)get_local_id(0);
    if ((item_12 < 4)) {
      S_parts[item_12] = (S_parts[item_12] + S_parts[(item_12 + 4)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_13 = (int)get_local_id(0);
    if ((item_13 < 2)) {
      S_parts[item_13] = (S_parts[item_13] + S_parts[(item_13 + 2)]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_14 = (int)get_local_id(0);
    if ((item_14 < 1)) {
      S_parts[0] = (S_parts[0] + S_parts[1]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_15 = (int)get_local_id(0);
    if ((item_15 < 1)) {
      const float result_1 = (0.0f + S_parts[0]);
      S[0] = result_1;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int item_16 = (int)get_local_id(0);
    for (int turn_2 = 0; turn_2 < ((m + 63) / 64); turn_2++) {
      const int i = ((turn_2 * 64) + item_16);
      if ((i < m)) {
        C[C_at + ((row * m) + i)] = (exp((P[P_at + ((row * m) + i)] - X[0])) / S[0]);
      }
    }
  }
}
