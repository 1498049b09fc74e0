// half_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void half_0(__global half* A, int A_at, __global half* C, int C_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < ((n + 7) / 8))) {
      const int first = (i * 8);
      if (((first + 8) <= n)) {
        float A_v[8];
        float C_v[8];
        vstore8(vload_half8(0, A + A_at + first), 0, A_v);
        #pragma unroll
        for (int lane = 0; lane < 8; lane++) {
          C_v[lane] = ((A_v[lane] * A_v[lane]) + 1.0f);
        }
        vstore_half8_rte(vload8(0, C_v), 0, C + C_at + first);
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          vstore_half_rte(((vload_half(A_at + (first + turn), A) * vload_half(A_at + (first + turn), A)) + 1.0f), C_at + (first + turn), C);
        }
      }
    }
  }
}
