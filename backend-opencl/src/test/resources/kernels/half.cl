// half_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void half_0(__global half* C, int C_at, __global half* A, int A_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < n)) {
      vstore_half_rte(((vload_half(A_at + i, A) * vload_half(A_at + i, A)) + 1.0f), C_at + i, C);
    }
  }
}
