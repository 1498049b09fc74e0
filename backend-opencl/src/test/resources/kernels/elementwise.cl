// elementwise_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline float rv_max_float(float a, float b) { return a != a || a > b ? a : b; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void elementwise_0(__global float* C, int C_at, __global float* A, int A_at, __global float* B, int B_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < (n * 4))) {
      C[C_at + i] = rv_max_float((exp((A[A_at + i] * B[B_at + (i % 4)])) - 1.0f), 0.0f);
    }
  }
}
