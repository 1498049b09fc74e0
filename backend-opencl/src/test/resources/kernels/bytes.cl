// bytes_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline char rv_max_char(char a, char b) { return a != a || a > b ? a : b; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void bytes_0(__global char* A, int A_at, __global char* C, int C_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < ((n + 15) / 16))) {
      const int first = (i * 16);
      if (((first + 16) <= n)) {
        char A_v[16];
        char C_v[16];
        vstore16(vload16(0, A + A_at + first), 0, A_v);
        #pragma unroll
        for (int lane = 0; lane < 16; lane++) {
          C_v[lane] = (char)((uchar)rv_max_char((char)((uchar)A_v[lane] * (uchar)A_v[lane]), ((char)0)) + (uchar)((char)100));
        }
        vstore16(vload16(0, C_v), 0, C + C_at + first);
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[C_at + (first + turn)] = (char)((uchar)rv_max_char((char)((uchar)A[A_at + (first + turn)] * (uchar)A[A_at + (first + turn)]), ((char)0)) + (uchar)((char)100));
        }
      }
    }
  }
}
