// doubles_0: groups of 64, 0 bytes shared
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void doubles_0(__global double* C, int C_at, __global double* A, int A_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < n)) {
      C[C_at + i] = (A[A_at + i] * A[A_at + i]);
    }
  }
}
