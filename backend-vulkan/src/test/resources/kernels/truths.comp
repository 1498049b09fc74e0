#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_8bit_storage : require
//! kernel truths_0: groups of 64, 3 buffers, 24 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { uint8_t B[]; };
layout(set = 0, binding = 1, std430) readonly buffer rv_buffer1 { int8_t A[]; };
layout(set = 0, binding = 2, std430) buffer rv_buffer2 { uint8_t C[]; };
layout(push_constant, std430) uniform rv_arguments {
  int B_at;
  int A_at;
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
    if ((i < (((n * m) + 15) / 16))) {
      const int first = (i * 16);
      if (((first + 16) <= (n * m))) {
        bool B_v[16];
        int A_v[16];
        bool C_v[16];
        B_v[0] = (uint(B[B_at + first + 0]) != 0u);
        B_v[1] = (uint(B[B_at + first + 1]) != 0u);
        B_v[2] = (uint(B[B_at + first + 2]) != 0u);
        B_v[3] = (uint(B[B_at + first + 3]) != 0u);
        B_v[4] = (uint(B[B_at + first + 4]) != 0u);
        B_v[5] = (uint(B[B_at + first + 5]) != 0u);
        B_v[6] = (uint(B[B_at + first + 6]) != 0u);
        B_v[7] = (uint(B[B_at + first + 7]) != 0u);
        B_v[8] = (uint(B[B_at + first + 8]) != 0u);
        B_v[9] = (uint(B[B_at + first + 9]) != 0u);
        B_v[10] = (uint(B[B_at + first + 10]) != 0u);
        B_v[11] = (uint(B[B_at + first + 11]) != 0u);
        B_v[12] = (uint(B[B_at + first + 12]) != 0u);
        B_v[13] = (uint(B[B_at + first + 13]) != 0u);
        B_v[14] = (uint(B[B_at + first + 14]) != 0u);
        B_v[15] = (uint(B[B_at + first + 15]) != 0u);
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
          C_v[lane] = (B_v[lane] && (A_v[lane] < 3));
        }
        C[C_at + first + 0] = uint8_t(uint(C_v[0]));
        C[C_at + first + 1] = uint8_t(uint(C_v[1]));
        C[C_at + first + 2] = uint8_t(uint(C_v[2]));
        C[C_at + first + 3] = uint8_t(uint(C_v[3]));
        C[C_at + first + 4] = uint8_t(uint(C_v[4]));
        C[C_at + first + 5] = uint8_t(uint(C_v[5]));
        C[C_at + first + 6] = uint8_t(uint(C_v[6]));
        C[C_at + first + 7] = uint8_t(uint(C_v[7]));
        C[C_at + first + 8] = uint8_t(uint(C_v[8]));
        C[C_at + first + 9] = uint8_t(uint(C_v[9]));
        C[C_at + first + 10] = uint8_t(uint(C_v[10]));
        C[C_at + first + 11] = uint8_t(uint(C_v[11]));
        C[C_at + first + 12] = uint8_t(uint(C_v[12]));
        C[C_at + first + 13] = uint8_t(uint(C_v[13]));
        C[C_at + first + 14] = uint8_t(uint(C_v[14]));
        C[C_at + first + 15] = uint8_t(uint(C_v[15]));
      } else {
        for (int turn = 0; turn < ((n * m) - first); turn++) {
          C[C_at + (first + turn)] = uint8_t(uint(((uint(B[B_at + (first + turn)]) != 0u) && (int(A[A_at + (first + turn)]) < 3))));
        }
      }
    }
  }
}
