// doubles_by_bits_0: groups of 64, 0 bytes shared
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
static inline float rv_of_f64(ulong x) {
  uint s = (uint)(x >> 32) & 0x80000000u;
  int e = (int)(x >> 52 & 0x7ffu);
  ulong m = x & 0xfffffffffffffUL;
  if (e == 0x7ff) return as_float(s | 0x7f800000u | (m != 0 ? 0x400000u : 0u));
  if (e < 850) return as_float(s);
  float f = (float)(m | 0x10000000000000UL);
  return as_float(s | as_uint(ldexp(f, e - 1075)));
}
static inline ulong rv_f64(float x) {
  uint u = as_uint(x), a = u & 0x7fffffffu;
  ulong s = (ulong)(u & 0x80000000u) << 32;
  if (a >= 0x7f800000u) return s | 0x7ff0000000000000UL | (ulong)(a & 0x7fffffu) << 29;
  if (a == 0) return s;
  int e = (int)(a >> 23);
  uint m = a & 0x7fffffu;
  if (e == 0) { e = 1; while ((m & 0x800000u) == 0) { m <<= 1; e--; } m &= 0x7fffffu; }
  return s | (ulong)(e + 896) << 52 | (ulong)m << 29;
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void doubles_by_bits_0(__global ulong* A, int A_at, __global ulong* C, int C_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < ((n + 1) / 2))) {
      const int first = (i * 2);
      if (((first + 2) <= n)) {
        float A_v[2];
        float C_v[2];
        {
          const ulong2 rv_v = vload2(0, A + A_at + first);
          A_v[0] = rv_of_f64(rv_v.s0);
          A_v[1] = rv_of_f64(rv_v.s1);
        }
        #pragma unroll
        for (int lane = 0; lane < 2; lane++) {
          C_v[lane] = (A_v[lane] * A_v[lane]);
        }
        vstore2((ulong2)(rv_f64(C_v[0]), rv_f64(C_v[1])), 0, C + C_at + first);
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[C_at + (first + turn)] = rv_f64((rv_of_f64(A[A_at + (first + turn)]) * rv_of_f64(A[A_at + (first + turn)])));
        }
      }
    }
  }
}
