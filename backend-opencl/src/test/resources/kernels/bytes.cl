// bytes_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline char rv_max_char(char a, char b) { return a != a || a > b ? a : b; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void bytes_0(__global char* C, int C_at, __global char* A, int A_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < n)) {
      C[C_at + i] = (char)((uchar)rv_max_char((char)((uchar)A[A_at + i] * (uchar)A[A_at + i]), ((char)0)) + (uchar)((char)100));
    }
  }
}
