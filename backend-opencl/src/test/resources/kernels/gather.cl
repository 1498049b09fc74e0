// gather_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void gather_0(__global float* C, int C_at, __global long* P, int P_at, __global float* A, int A_at, int m, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < m)) {
      C[C_at + i] = (((0L <= P[P_at + i]) && (P[P_at + i] < ((long)n))) ? A[A_at + (int)(P[P_at + i])] : 0.0f);
    }
  }
}
