#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_16bit_storage : require
//! rv_bf16
// The bits of the bfloat16 that is nearest to a float.
uint rv_bf16(float x) {
  uint u = floatBitsToUint(x);
  if ((u & 0x7fffffffu) > 0x7f800000u) return u >> 16 | 0x40u;
  return (u + 0x7fffu + (u >> 16 & 1u)) >> 16;
}

//! rv_of_bf16
// The bits of a bfloat16 as a float.
float rv_of_bf16(uint x) { return uintBitsToFloat(x << 16); }

//! rv_div_int32
int rv_div_int32(int a, int b) { return b == 0 ? 0 : b == -1 ? (-a) : a / b; }
//! rv_rem_int32
int rv_rem_int32(int a, int b) { return b == 0 || b == -1 ? 0 : a - a / b * b; }
//! kernel rows_of_bfloat16_0: groups of 64, 4 buffers, 28 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { uint16_t A[]; };
layout(set = 0, binding = 1, std430) readonly buffer rv_buffer1 { uint16_t B[]; };
layout(set = 0, binding = 2, std430) readonly buffer rv_buffer2 { uint16_t D[]; };
layout(set = 0, binding = 3, std430) buffer rv_buffer3 { uint16_t C[]; };
layout(push_constant, std430) uniform rv_arguments {
  int A_at;
  int B_at;
  int D_at;
  int C_at;
  int n;
  int m;
  int group_first;
};
void main() {
  const int group = int(gl_WorkGroupID.x) + group_first;
  {
    const int item = int(gl_LocalInvocationID.x);
    const int i = ((group * 64) + item);
    if ((i < (n * ((m + 7) / 8)))) {
      const int first = (rv_rem_int32(i, ((m + 7) / 8)) * 8);
      if (((first + 8) <= m)) {
        float A_v[8];
        float B_v[8];
        float C_v[8];
        A_v[0] = rv_of_bf16(uint(A[A_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 0]));
        A_v[1] = rv_of_bf16(uint(A[A_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 1]));
        A_v[2] = rv_of_bf16(uint(A[A_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 2]));
        A_v[3] = rv_of_bf16(uint(A[A_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 3]));
        A_v[4] = rv_of_bf16(uint(A[A_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 4]));
        A_v[5] = rv_of_bf16(uint(A[A_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 5]));
        A_v[6] = rv_of_bf16(uint(A[A_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 6]));
        A_v[7] = rv_of_bf16(uint(A[A_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 7]));
        B_v[0] = rv_of_bf16(uint(B[B_at + first + 0]));
        B_v[1] = rv_of_bf16(uint(B[B_at + first + 1]));
        B_v[2] = rv_of_bf16(uint(B[B_at + first + 2]));
        B_v[3] = rv_of_bf16(uint(B[B_at + first + 3]));
        B_v[4] = rv_of_bf16(uint(B[B_at + first + 4]));
        B_v[5] = rv_of_bf16(uint(B[B_at + first + 5]));
        B_v[6] = rv_of_bf16(uint(B[B_at + first + 6]));
        B_v[7] = rv_of_bf16(uint(B[B_at + first + 7]));
        [[unroll]]
        for (int lane = 0; lane < 8; lane++) {
          C_v[lane] = ((A_v[lane] * B_v[lane]) + rv_of_bf16(uint(D[D_at + rv_div_int32(i, ((m + 7) / 8))])));
        }
        C[C_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 0] = uint16_t(rv_bf16(C_v[0]));
        C[C_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 1] = uint16_t(rv_bf16(C_v[1]));
        C[C_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 2] = uint16_t(rv_bf16(C_v[2]));
        C[C_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 3] = uint16_t(rv_bf16(C_v[3]));
        C[C_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 4] = uint16_t(rv_bf16(C_v[4]));
        C[C_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 5] = uint16_t(rv_bf16(C_v[5]));
        C[C_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 6] = uint16_t(rv_bf16(C_v[6]));
        C[C_at + ((m * rv_div_int32(i, ((m + 7) / 8))) + first) + 7] = uint16_t(rv_bf16(C_v[7]));
      } else {
        for (int turn = 0; turn < (m - first); turn++) {
          C[C_at + (((m * rv_div_int32(i, ((m + 7) / 8))) + first) + turn)] = uint16_t(rv_bf16(((rv_of_bf16(uint(A[A_at + (((m * rv_div_int32(i, ((m + 7) / 8))) + first) + turn)])) * rv_of_bf16(uint(B[B_at + (first + turn)]))) + rv_of_bf16(uint(D[D_at + rv_div_int32(i, ((m + 7) / 8))])))));
        }
      }
    }
  }
}
