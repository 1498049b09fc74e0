// rows_of_bfloat16_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline ushort rv_bf16(float x) {
  uint u = as_uint(x);
  return x != x ? (ushort)(u >> 16 | 0x40u) : (ushort)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
static inline float rv_of_bf16(ushort x) { return as_float((uint)x << 16); }
static inline int rv_div_int(int a, int b) { return b == 0 ? 0 : b == (int)-1 && b < 0 ? (int)(0 - a) : a / b; }
static inline int rv_rem_int(int a, int b) { return b == 0 || b == (int)-1 && b < 0 ? 0 : a % b; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void rows_of_bfloat16_0(__global ushort* A, int A_at, __global ushort* B, int B_at, __global ushort* D, int D_at, __global ushort* C, int C_at, int n, int m) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < (n * ((m + 7) / 8)))) {
      const int first = (rv_rem_int(i, ((m + 7) / 8)) * 8);
      if (((first + 8) <= m)) {
        float A_v[8];
        float B_v[8];
        float C_v[8];
        {
          const ushort8 rv_v = vload8(0, A + A_at + ((m * rv_div_int(i, ((m + 7) / 8))) + first));
          A_v[0] = rv_of_bf16(rv_v.s0);
          A_v[1] = rv_of_bf16(rv_v.s1);
          A_v[2] = rv_of_bf16(rv_v.s2);
          A_v[3] = rv_of_bf16(rv_v.s3);
          A_v[4] = rv_of_bf16(rv_v.s4);
          A_v[5] = rv_of_bf16(rv_v.s5);
          A_v[6] = rv_of_bf16(rv_v.s6);
          A_v[7] = rv_of_bf16(rv_v.s7);
        }
        {
          const ushort8 rv_v = vload8(0, B + B_at + first);
          B_v[0] = rv_of_bf16(rv_v.s0);
          B_v[1] = rv_of_bf16(rv_v.s1);
          B_v[2] = rv_of_bf16(rv_v.s2);
          B_v[3] = rv_of_bf16(rv_v.s3);
          B_v[4] = rv_of_bf16(rv_v.s4);
          B_v[5] = rv_of_bf16(rv_v.s5);
          B_v[6] = rv_of_bf16(rv_v.s6);
          B_v[7] = rv_of_bf16(rv_v.s7);
        }
        #pragma unroll
        for (int lane = 0; lane < 8; lane++) {
          C_v[lane] = ((A_v[lane] * B_v[lane]) + rv_of_bf16(D[D_at + rv_div_int(i, ((m + 7) / 8))]));
        }
        vstore8((ushort8)(rv_bf16(C_v[0]), rv_bf16(C_v[1]), rv_bf16(C_v[2]), rv_bf16(C_v[3]), rv_bf16(C_v[4]), rv_bf16(C_v[5]), rv_bf16(C_v[6]), rv_bf16(C_v[7])), 0, C + C_at + ((m * rv_div_int(i, ((m + 7) / 8))) + first));
      } else {
        for (int turn = 0; turn < (m - first); turn++) {
          C[C_at + (((m * rv_div_int(i, ((m + 7) / 8))) + first) + turn)] = rv_bf16(((rv_of_bf16(A[A_at + (((m * rv_div_int(i, ((m + 7) / 8))) + first) + turn)]) * rv_of_bf16(B[B_at + (first + turn)])) + rv_of_bf16(D[D_at + rv_div_int(i, ((m + 7) / 8))])));
        }
      }
    }
  }
}
