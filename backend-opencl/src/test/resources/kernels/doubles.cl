// doubles_0: groups of 64, 0 bytes shared
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void doubles_0(__global double* A, int A_at, __global double* C, int C_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < ((n + 1) / 2))) {
      const int first = (i * 2);
      if (((first + 2) <= n)) {
        double A_v[2];
        double C_v[2];
        vstore2(vload2(0, A + A_at + first), 0, A_v);
        #pragma unroll
        for (int lane = 0; lane < 2; lane++) {
          C_v[lane] = (A_v[lane] * A_v[lane]);
        }
        vstore2(vload2(0, C_v), 0, C + C_at + first);
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[C_at + (first + turn)] = (A[A_at + (first + turn)] * A[A_at + (first + turn)]);
        }
      }
    }
  }
}
