#version 460
#extension GL_EXT_control_flow_attributes : require
//! kernel doubles_0: groups of 64, 2 buffers, 16 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { double A[]; };
layout(set = 0, binding = 1, std430) buffer rv_buffer1 { double C[]; };
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
        double A_v[2];
        double C_v[2];
        A_v[0] = A[A_at + first + 0];
        A_v[1] = A[A_at + first + 1];
        [[unroll]]
        for (int lane = 0; lane < 2; lane++) {
          C_v[lane] = (A_v[lane] * A_v[lane]);
        }
        C[C_at + first + 0] = C_v[0];
        C[C_at + first + 1] = C_v[1];
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[C_at + (first + turn)] = (A[A_at + (first + turn)] * A[A_at + (first + turn)]);
        }
      }
    }
  }
}
