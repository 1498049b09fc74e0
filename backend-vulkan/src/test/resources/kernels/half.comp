#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_16bit_storage : require
//! rv_f16
// The bits of the float16 that is nearest to a float.
uint rv_f16(float x) {
  uint u = floatBitsToUint(x), a = u & 0x7fffffffu, s = u >> 16 & 0x8000u;
  if (a > 0x7f800000u) return s | 0x7e00u | (a >> 13 & 0x3ffu);
  if (a >= 0x477ff000u) return s | 0x7c00u;
  if (a >= 0x38800000u) return s | (a - 0x38000000u + 0xfffu + (a >> 13 & 1u)) >> 13;
  uint e = a >> 23;
  if (e < 102u) return s;
  uint m = a & 0x7fffffu | 0x800000u, n = 126u - e;
  return s | (m + (1u << (n - 1u)) - 1u + (m >> n & 1u)) >> n;
}

//! rv_of_f16
// The bits of a float16 as a float.
float rv_of_f16(uint h) {
  uint s = (h & 0x8000u) << 16, e = h >> 10 & 0x1fu, m = h & 0x3ffu;
  if (e == 0u) return uintBitsToFloat(s | floatBitsToUint(float(m) * 5.9604644775390625e-8f));
  return uintBitsToFloat(s | (e == 31u ? 0x7f800000u : (e + 112u) << 23) | m << 13);
}

//! kernel half_0: groups of 64, 2 buffers, 16 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { uint16_t A[]; };
layout(set = 0, binding = 1, std430) buffer rv_buffer1 { uint16_t C[]; };
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
    if ((i < ((n + 7) / 8))) {
      const int first = (i * 8);
      if (((first + 8) <= n)) {
        float A_v[8];
        float C_v[8];
        A_v[0] = rv_of_f16(uint(A[A_at + first + 0]));
        A_v[1] = rv_of_f16(uint(A[A_at + first + 1]));
        A_v[2] = rv_of_f16(uint(A[A_at + first + 2]));
        A_v[3] = rv_of_f16(uint(A[A_at + first + 3]));
        A_v[4] = rv_of_f16(uint(A[A_at + first + 4]));
        A_v[5] = rv_of_f16(uint(A[A_at + first + 5]));
        A_v[6] = rv_of_f16(uint(A[A_at + first + 6]));
        A_v[7] = rv_of_f16(uint(A[A_at + first + 7]));
        [[unroll]]
        for (int lane = 0; lane < 8; lane++) {
          C_v[lane] = ((A_v[lane] * A_v[lane]) + 1.0f);
        }
        C[C_at + first + 0] = uint16_t(rv_f16(C_v[0]));
        C[C_at + first + 1] = uint16_t(rv_f16(C_v[1]));
        C[C_at + first + 2] = uint16_t(rv_f16(C_v[2]));
        C[C_at + first + 3] = uint16_t(rv_f16(C_v[3]));
        C[C_at + first + 4] = uint16_t(rv_f16(C_v[4]));
        C[C_at + first + 5] = uint16_t(rv_f16(C_v[5]));
        C[C_at + first + 6] = uint16_t(rv_f16(C_v[6]));
        C[C_at + first + 7] = uint16_t(rv_f16(C_v[7]));
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[C_at + (first + turn)] = uint16_t(rv_f16(((rv_of_f16(uint(A[A_at + (first + turn)])) * rv_of_f16(uint(A[A_at + (first + turn)]))) + 1.0f)));
        }
      }
    }
  }
}
