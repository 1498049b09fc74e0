#version 460
#extension GL_EXT_control_flow_attributes : require
//! rv_f64
// The bits of a float as a double, the low half first.
uvec2 rv_f64(float x) {
  uint u = floatBitsToUint(x), a = u & 0x7fffffffu, s = u & 0x80000000u;
  if (a >= 0x7f800000u) return uvec2(a << 29, s | 0x7ff00000u | (a & 0x7fffffu) >> 3);
  if (a == 0u) return uvec2(0u, s);
  uint e = a >> 23, m = a & 0x7fffffu;
  if (e == 0u) {
    uint n = 23u - uint(findMSB(m));
    m = m << n & 0x7fffffu;
    e = 1u - n;
  }
  return uvec2(m << 29, s | e + 896u << 20 | m >> 3);
}

//! rv_of_f64
// The bits of a double, the low half first, as the nearest float.
float rv_of_f64(uvec2 x) {
  uint s = x.y & 0x80000000u, e = x.y >> 20 & 0x7ffu, h = x.y & 0xfffffu;
  if (e == 0x7ffu) {
    return uintBitsToFloat(s | 0x7f800000u | ((h | x.x) != 0u ? 0x400000u : 0u));
  }
  if (e > 1150u) return uintBitsToFloat(s | 0x7f800000u);
  if (e < 872u) return uintBitsToFloat(s);
  // The 24 bits that a float has with the first one written out, less where it is a denormal.
  uint n = e > 896u ? 29u : 926u - e;
  uint m = h | 0x100000u;
  uint q = n < 32u ? m << (32u - n) | x.x >> n : m >> (n - 32u);
  uint half_bit = n <= 32u ? x.x >> (n - 1u) & 1u : m >> (n - 33u) & 1u;
  bool more = n <= 32u
      ? (x.x & (1u << (n - 1u)) - 1u) != 0u
      : (m & (1u << (n - 33u)) - 1u) != 0u || x.x != 0u;
  q += half_bit & (more ? 1u : q & 1u);
  // A first bit of its own counts into the exponent, and so does what rounding carries there.
  return uintBitsToFloat(s | (e > 896u ? (e - 897u << 23) + q : q));
}

//! kernel doubles_by_bits_0: groups of 64, 2 buffers, 16 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { uvec2 A[]; };
layout(set = 0, binding = 1, std430) buffer rv_buffer1 { uvec2 C[]; };
layout(push_constant, std430) uniform rv_arguments {
  int A_at;
  int C_at;
  int n;
  int group_first;
};
void main() {
  const int group = int(gl_WorkGroupID.x) + group_first;
  {
    const int item = int(gl_LocalInvocationID.x);
    const int i = ((group * 64) + item);
    if ((i < ((n + 1) / 2))) {
      const int first = (i * 2);
      if (((first + 2) <= n)) {
        float A_v[2];
        float C_v[2];
        A_v[0] = rv_of_f64(A[A_at + first + 0]);
        A_v[1] = rv_of_f64(A[A_at + first + 1]);
        [[unroll]]
        for (int lane = 0; lane < 2; lane++) {
          C_v[lane] = (A_v[lane] * A_v[lane]);
        }
        C[C_at + first + 0] = rv_f64(C_v[0]);
        C[C_at + first + 1] = rv_f64(C_v[1]);
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[C_at + (first + turn)] = rv_f64((rv_of_f64(A[A_at + (first + turn)]) * rv_of_f64(A[A_at + (first + turn)])));
        }
      }
    }
  }
}
