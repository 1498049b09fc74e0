#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_8bit_storage : require
//! rv_float8
// The bits of the float of 8 bits that is nearest to a float; what is behind l for what is too large.
uint rv_float8(float x, uint f, uint b, uint l, uint n) {
  uint u = floatBitsToUint(x), s = u >> 24 & 0x80u, a = u & 0x7fffffffu, e = a >> 23;
  if (a > 0x7f800000u) return s | n;
  uint r = a - (127u - b << 23), d = 23u - f;
  if (e < 128u - b) {
    r = a & 0x7fffffu | 0x800000u;
    d = min(d + 128u - b - e, 25u);
  }
  r = r + (1u << d - 1u) - 1u + (r >> d & 1u) >> d;
  return s | (r > l ? l + 1u : r);
}

//! rv_e4m3 needs rv_float8
uint rv_e4m3(float x) { return rv_float8(x, 3u, 7u, 0x7eu, 0x7fu); }

//! rv_of_float8
// The bits of a float of 8 bits as a float: f of fraction, exponents with a bias of b, up to the
// number l; n is not a number.
float rv_of_float8(uint x, uint f, uint b, uint l, uint n) {
  uint s = (x & 0x80u) << 24, a = x & 0x7fu;
  if (a > l) return uintBitsToFloat(s | (a == l + 1u && a != n ? 0x7f800000u : 0x7fc00000u));
  if (a < 1u << f) {
    return uintBitsToFloat(s | floatBitsToUint(float(a) * uintBitsToFloat(128u - b - f << 23)));
  }
  return uintBitsToFloat(s | (a << 23u - f) + (127u - b << 23));
}

//! rv_of_e4m3 needs rv_of_float8
float rv_of_e4m3(uint x) { return rv_of_float8(x, 3u, 7u, 0x7eu, 0x7fu); }

//! rv_of_e5m2 needs rv_of_float8
float rv_of_e5m2(uint x) { return rv_of_float8(x, 2u, 15u, 0x7bu, 0x7eu); }

//! kernel bytes_of_floats_0: groups of 64, 3 buffers, 20 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { uint8_t A[]; };
layout(set = 0, binding = 1, std430) readonly buffer rv_buffer1 { uint8_t B[]; };
layout(set = 0, binding = 2, std430) buffer rv_buffer2 { uint8_t C[]; };
layout(push_constant, std430) uniform rv_arguments {
  int A_at;
  int B_at;
  int C_at;
  int n;
  int group_first;
};
void main() {
  const int group = int(gl_WorkGroupID.x) + group_first;
  {
    const int item = int(gl_LocalInvocationID.x);
    const int i = ((group * 64) + item);
    if ((i < ((n + 15) / 16))) {
      const int first = (i * 16);
      if (((first + 16) <= n)) {
        float A_v[16];
        float B_v[16];
        float C_v[16];
        A_v[0] = rv_of_e5m2(uint(A[A_at + first + 0]));
        A_v[1] = rv_of_e5m2(uint(A[A_at + first + 1]));
        A_v[2] = rv_of_e5m2(uint(A[A_at + first + 2]));
        A_v[3] = rv_of_e5m2(uint(A[A_at + first + 3]));
        A_v[4] = rv_of_e5m2(uint(A[A_at + first + 4]));
        A_v[5] = rv_of_e5m2(uint(A[A_at + first + 5]));
        A_v[6] = rv_of_e5m2(uint(A[A_at + first + 6]));
        A_v[7] = rv_of_e5m2(uint(A[A_at + first + 7]));
        A_v[8] = rv_of_e5m2(uint(A[A_at + first + 8]));
        A_v[9] = rv_of_e5m2(uint(A[A_at + first + 9]));
        A_v[10] = rv_of_e5m2(uint(A[A_at + first + 10]));
        A_v[11] = rv_of_e5m2(uint(A[A_at + first + 11]));
        A_v[12] = rv_of_e5m2(uint(A[A_at + first + 12]));
        A_v[13] = rv_of_e5m2(uint(A[A_at + first + 13]));
        A_v[14] = rv_of_e5m2(uint(A[A_at + first + 14]));
        A_v[15] = rv_of_e5m2(uint(A[A_at + first + 15]));
        B_v[0] = rv_of_e4m3(uint(B[B_at + first + 0]));
        B_v[1] = rv_of_e4m3(uint(B[B_at + first + 1]));
        B_v[2] = rv_of_e4m3(uint(B[B_at + first + 2]));
        B_v[3] = rv_of_e4m3(uint(B[B_at + first + 3]));
        B_v[4] = rv_of_e4m3(uint(B[B_at + first + 4]));
        B_v[5] = rv_of_e4m3(uint(B[B_at + first + 5]));
        B_v[6] = rv_of_e4m3(uint(B[B_at + first + 6]));
        B_v[7] = rv_of_e4m3(uint(B[B_at + first + 7]));
        B_v[8] = rv_of_e4m3(uint(B[B_at + first + 8]));
        B_v[9] = rv_of_e4m3(uint(B[B_at + first + 9]));
        B_v[10] = rv_of_e4m3(uint(B[B_at + first + 10]));
        B_v[11] = rv_of_e4m3(uint(B[B_at + first + 11]));
        B_v[12] = rv_of_e4m3(uint(B[B_at + first + 12]));
        B_v[13] = rv_of_e4m3(uint(B[B_at + first + 13]));
        B_v[14] = rv_of_e4m3(uint(B[B_at + first + 14]));
        B_v[15] = rv_of_e4m3(uint(B[B_at + first + 15]));
        [[unroll]]
        for (int lane = 0; lane < 16; lane++) {
          C_v[lane] = rv_of_e4m3(rv_e4m3((A_v[lane] * B_v[lane])));
        }
        C[C_at + first + 0] = uint8_t(rv_e4m3(C_v[0]));
        C[C_at + first + 1] = uint8_t(rv_e4m3(C_v[1]));
        C[C_at + first + 2] = uint8_t(rv_e4m3(C_v[2]));
        C[C_at + first + 3] = uint8_t(rv_e4m3(C_v[3]));
        C[C_at + first + 4] = uint8_t(rv_e4m3(C_v[4]));
        C[C_at + first + 5] = uint8_t(rv_e4m3(C_v[5]));
        C[C_at + first + 6] = uint8_t(rv_e4m3(C_v[6]));
        C[C_at + first + 7] = uint8_t(rv_e4m3(C_v[7]));
        C[C_at + first + 8] = uint8_t(rv_e4m3(C_v[8]));
        C[C_at + first + 9] = uint8_t(rv_e4m3(C_v[9]));
        C[C_at + first + 10] = uint8_t(rv_e4m3(C_v[10]));
        C[C_at + first + 11] = uint8_t(rv_e4m3(C_v[11]));
        C[C_at + first + 12] = uint8_t(rv_e4m3(C_v[12]));
        C[C_at + first + 13] = uint8_t(rv_e4m3(C_v[13]));
        C[C_at + first + 14] = uint8_t(rv_e4m3(C_v[14]));
        C[C_at + first + 15] = uint8_t(rv_e4m3(C_v[15]));
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[C_at + (first + turn)] = uint8_t(rv_e4m3(rv_of_e4m3(rv_e4m3((rv_of_e5m2(uint(A[A_at + (first + turn)])) * rv_of_e4m3(uint(B[B_at + (first + turn)])))))));
        }
      }
    }
  }
}
