#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_8bit_storage : require
//! rv_max_int8
int rv_max_int8(int a, int b) { return a > b ? a : b; }
//! kernel bytes_0: groups of 64, 2 buffers, 16 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { int8_t A[]; };
layout(set = 0, binding = 1, std430) buffer rv_buffer1 { int8_t C[]; };
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
    if ((i < ((n + 15) / 16))) {
      const int first = (i * 16);
      if (((first + 16) <= n)) {
        int A_v[16];
        int C_v[16];
        A_v[0] = int(A[A_at + first + 0]);
        A_v[1] = int(A[A_at + first + 1]);
        A_v[2] = int(A[A_at + first + 2]);
        A_v[3] = int(A[A_at + first + 3]);
        A_v[4] = int(A[A_at + first + 4]);
        A_v[5] = int(A[A_at + first + 5]);
        A_v[6] = int(A[A_at + first + 6]);
        A_v[7] = int(A[A_at + first + 7]);
        A_v[8] = int(A[A_at + first + 8]);
        A_v[9] = int(A[A_at + first + 9]);
        A_v[10] = int(A[A_at + first + 10]);
        A_v[11] = int(A[A_at + first + 11]);
        A_v[12] = int(A[A_at + first + 12]);
        A_v[13] = int(A[A_at + first + 13]);
        A_v[14] = int(A[A_at + first + 14]);
        A_v[15] = int(A[A_at + first + 15]);
        [[unroll]]
        for (int lane = 0; lane < 16; lane++) {
          C_v[lane] = ((rv_max_int8(((A_v[lane] * A_v[lane]) << 24 >> 24), 0) + 100) << 24 >> 24);
        }
        C[C_at + first + 0] = int8_t(C_v[0]);
        C[C_at + first + 1] = int8_t(C_v[1]);
        C[C_at + first + 2] = int8_t(C_v[2]);
        C[C_at + first + 3] = int8_t(C_v[3]);
        C[C_at + first + 4] = int8_t(C_v[4]);
        C[C_at + first + 5] = int8_t(C_v[5]);
        C[C_at + first + 6] = int8_t(C_v[6]);
        C[C_at + first + 7] = int8_t(C_v[7]);
        C[C_at + first + 8] = int8_t(C_v[8]);
        C[C_at + first + 9] = int8_t(C_v[9]);
        C[C_at + first + 10] = int8_t(C_v[10]);
        C[C_at + first + 11] = int8_t(C_v[11]);
        C[C_at + first + 12] = int8_t(C_v[12]);
        C[C_at + first + 13] = int8_t(C_v[13]);
        C[C_at + first + 14] = int8_t(C_v[14]);
        C[C_at + first + 15] = int8_t(C_v[15]);
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[C_at + (first + turn)] = int8_t(((rv_max_int8(((int(A[A_at + (first + turn)]) * int(A[A_at + (first + turn)])) << 24 >> 24), 0) + 100) << 24 >> 24));
        }
      }
    }
  }
}
