// bytes_of_floats_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline float rv_of_float8(uint x, uint f, uint b, uint l, uint n) {
  uint s = (x & 0x80u) << 24, a = x & 0x7fu;
  if (a > l) return as_float(s | (a == l + 1u && a != n ? 0x7f800000u : 0x7fc00000u));
  if (a < (1u << f)) return as_float(s | as_uint((float)a * as_float((128u - b - f) << 23)));
  return as_float(s | ((a << (23u - f)) + ((127u - b) << 23)));
}
static inline uchar rv_float8(float x, uint f, uint b, uint l, uint n) {
  uint u = as_uint(x), s = u >> 24 & 0x80u, a = u & 0x7fffffffu, e = a >> 23;
  if (a > 0x7f800000u) return (uchar)(s | n);
  uint r = a - ((127u - b) << 23), d = 23u - f;
  if (e < 128u - b) {
    r = (a & 0x7fffffu) | 0x800000u;
    d = d + 128u - b - e > 25u ? 25u : d + 128u - b - e;
  }
  r = (r + (1u << (d - 1u)) - 1u + (r >> d & 1u)) >> d;
  return (uchar)(s | (r > l ? l + 1u : r));
}
static inline float rv_of_e4m3(uchar x) { return rv_of_float8(x, 3u, 7u, 0x7eu, 0x7fu); }
static inline uchar rv_e4m3(float x) { return rv_float8(x, 3u, 7u, 0x7eu, 0x7fu); }
static inline float rv_of_e5m2(uchar x) { return rv_of_float8(x, 2u, 15u, 0x7bu, 0x7eu); }
static inline uchar rv_e5m2(float x) { return rv_float8(x, 2u, 15u, 0x7bu, 0x7eu); }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void bytes_of_floats_0(__global uchar* A, int A_at, __global uchar* B, int B_at, __global uchar* C, int C_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < ((n + 15) / 16))) {
      const int first = (i * 16);
      if (((first + 16) <= n)) {
        float A_v[16];
        float B_v[16];
        float C_v[16];
        {
          const uchar16 rv_v = vload16(0, A + A_at + first);
          A_v[0] = rv_of_e5m2(rv_v.s0);
          A_v[1] = rv_of_e5m2(rv_v.s1);
          A_v[2] = rv_of_e5m2(rv_v.s2);
          A_v[3] = rv_of_e5m2(rv_v.s3);
          A_v[4] = rv_of_e5m2(rv_v.s4);
          A_v[5] = rv_of_e5m2(rv_v.s5);
          A_v[6] = rv_of_e5m2(rv_v.s6);
          A_v[7] = rv_of_e5m2(rv_v.s7);
          A_v[8] = rv_of_e5m2(rv_v.s8);
          A_v[9] = rv_of_e5m2(rv_v.s9);
          A_v[10] = rv_of_e5m2(rv_v.sa);
          A_v[11] = rv_of_e5m2(rv_v.sb);
          A_v[12] = rv_of_e5m2(rv_v.sc);
          A_v[13] = rv_of_e5m2(rv_v.sd);
          A_v[14] = rv_of_e5m2(rv_v.se);
          A_v[15] = rv_of_e5m2(rv_v.sf);
        }
        {
          const uchar16 rv_v = vload16(0, B + B_at + first);
          B_v[0] = rv_of_e4m3(rv_v.s0);
          B_v[1] = rv_of_e4m3(rv_v.s1);
          B_v[2] = rv_of_e4m3(rv_v.s2);
          B_v[3] = rv_of_e4m3(rv_v.s3);
          B_v[4] = rv_of_e4m3(rv_v.s4);
          B_v[5] = rv_of_e4m3(rv_v.s5);
          B_v[6] = rv_of_e4m3(rv_v.s6);
          B_v[7] = rv_of_e4m3(rv_v.s7);
          B_v[8] = rv_of_e4m3(rv_v.s8);
          B_v[9] = rv_of_e4m3(rv_v.s9);
          B_v[10] = rv_of_e4m3(rv_v.sa);
          B_v[11] = rv_of_e4m3(rv_v.sb);
          B_v[12] = rv_of_e4m3(rv_v.sc);
          B_v[13] = rv_of_e4m3(rv_v.sd);
          B_v[14] = rv_of_e4m3(rv_v.se);
          B_v[15] = rv_of_e4m3(rv_v.sf);
        }
        #pragma unroll
        for (int lane = 0; lane < 16; lane++) {
          C_v[lane] = rv_of_e4m3(rv_e4m3((A_v[lane] * B_v[lane])));
        }
        vstore16((uchar16)(rv_e4m3(C_v[0]), rv_e4m3(C_v[1]), rv_e4m3(C_v[2]), rv_e4m3(C_v[3]), rv_e4m3(C_v[4]), rv_e4m3(C_v[5]), rv_e4m3(C_v[6]), rv_e4m3(C_v[7]), rv_e4m3(C_v[8]), rv_e4m3(C_v[9]), rv_e4m3(C_v[10]), rv_e4m3(C_v[11]), rv_e4m3(C_v[12]), rv_e4m3(C_v[13]), rv_e4m3(C_v[14]), rv_e4m3(C_v[15])), 0, C + C_at + first);
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[C_at + (first + turn)] = rv_e4m3(rv_of_e4m3(rv_e4m3((rv_of_e5m2(A[A_at + (first + turn)]) * rv_of_e4m3(B[B_at + (first + turn)])))));
        }
      }
    }
  }
}
