// truths_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void truths_0(__global uchar* B, int B_at, __global char* A, int A_at, __global uchar* C, int C_at, int n, int m) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < (((n * m) + 15) / 16))) {
      const int first = (i * 16);
      if (((first + 16) <= (n * m))) {
        int B_v[16];
        char A_v[16];
        int C_v[16];
        vstore16(convert_int16(vload16(0, B + B_at + first)), 0, B_v);
        vstore16(vload16(0, A + A_at + first), 0, A_v);
        #pragma unroll
        for (int lane = 0; lane < 16; lane++) {
          C_v[lane] = (B_v[lane] && (A_v[lane] < ((char)3)));
        }
        vstore16(convert_uchar16(vload16(0, C_v)), 0, C + C_at + first);
      } else {
        for (int turn = 0; turn < ((n * m) - first); turn++) {
          C[C_at + (first + turn)] = (B[B_at + (first + turn)] && (A[A_at + (first + turn)] < ((char)3)));
        }
      }
    }
  }
}
