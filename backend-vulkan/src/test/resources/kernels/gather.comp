#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
//! rv_long
// An integer with 64 bits. Negative ones are put together from halves: Mesa 22.3 finds no
// int64_t(x) of an int less than a constant.
int64_t rv_long(int x) { return packInt2x32(ivec2(x, x >> 31)); }
int64_t rv_long(uint x) { return int64_t(x); }
int64_t rv_long(int64_t x) { return x; }
//! kernel gather_0: groups of 64, 3 buffers, 24 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) buffer rv_buffer0 { float C[]; };
layout(set = 0, binding = 1, std430) readonly buffer rv_buffer1 { int64_t P[]; };
layout(set = 0, binding = 2, std430) readonly buffer rv_buffer2 { float A[]; };
layout(push_constant, std430) uniform rv_arguments {
  int C_at;
  int P_at;
  int A_at;
  int m;
  int n;
  int group_first;
};
void main() {
  const int group = int(gl_WorkGroupID.x) + group_first;
  {
    const int item = int(gl_LocalInvocationID.x);
    const int i = ((group * 64) + item);
    if ((i < m)) {
      C[C_at + i] = (((0L <= P[P_at + i]) && (P[P_at + i] < (rv_long(n)))) ? A[A_at + int((P[P_at + i]))] : 0.0f);
    }
  }
}
