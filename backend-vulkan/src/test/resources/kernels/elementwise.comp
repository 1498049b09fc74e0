#version 460
#extension GL_EXT_control_flow_attributes : require
//! rv_two_sum32
// a + b exactly, as the rounded sum and what it lost (Knuth's two-sum).
vec2 rv_two_sum32(float a, float b) {
  float s = a + b;
  float v = s - a;
  return vec2(s, (a - (s - v)) + (b - v));
}

//! rv_exp_pair32 needs rv_two_sum32
// e to the power of a pair in [-106.0, 90.0], as a pair times 2^k. a - k ln 2 is in [-0.347,
// 0.347], with ln 2 in three parts of which the first is short enough for an exact product; there 1
// + r + r^2/2 + r^3 P(r). Good for some 5 bits more than one number has.
vec2 rv_exp_pair32(vec2 a, out int k) {
  float n = floor(a.x * 1.442695 + 0.5);
  k = int(n);
  vec2 r = rv_two_sum32(a.x - n * 0.69314575, -(n * 1.4286068e-06));
  r = rv_two_sum32(r.x, r.y + (a.y - n * 5.497923e-14));
  float p = 0.16666648 + r.x * (0.04166648 + r.x * (0.008337844 + r.x * (0.0013933433
      + r.x * 0.00017357412)));
  vec2 s = rv_two_sum32(1.0, r.x);
  return rv_two_sum32(s.x, s.y + (r.x * r.x * (0.5 + r.x * p) + r.y * (1.0 + r.x)));
}

//! rv_isnan32
// From the bits: compilers take isnan as false where they count on there being none.
bool rv_isnan32(float x) {
  return (floatBitsToUint(x) & 0x7FFFFFFFu) > 0x7F800000u;
}

//! rv_scale32
// x 2^k for k in [-250, 250], in two steps: 2^k alone may not be a normal number.
float rv_scale32(float x, int k) {
  int half_k = k >> 1;
  return x * intBitsToFloat((half_k + 127) << 23) * intBitsToFloat((k - half_k + 127) << 23);
}

//! rv_exp32 needs rv_isnan32, rv_exp_pair32, rv_scale32
// exp: see rv_exp_pair32. Error: 0.8 ULP.
float rv_exp32(float x) {
  if (rv_isnan32(x)) {
    return x;
  }
  int k;
  vec2 p = rv_exp_pair32(vec2(clamp(x, -106.0, 90.0), 0.0), k);
  return rv_scale32(p.x + p.y, k);
}

//! rv_max_float32
float rv_max_float32(float a, float b) { return rv_isnan32(a) || a > b ? a : b; }
//! kernel elementwise_0: groups of 64, 3 buffers, 20 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { float A[]; };
layout(set = 0, binding = 1, std430) readonly buffer rv_buffer1 { float B[]; };
layout(set = 0, binding = 2, std430) buffer rv_buffer2 { float C[]; };
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
    if ((i < n)) {
      const int first = 0;
      float A_v[4];
      float B_v[4];
      float C_v[4];
      A_v[0] = A[A_at + ((i * 4) + first) + 0];
      A_v[1] = A[A_at + ((i * 4) + first) + 1];
      A_v[2] = A[A_at + ((i * 4) + first) + 2];
      A_v[3] = A[A_at + ((i * 4) + first) + 3];
      B_v[0] = B[B_at + first + 0];
      B_v[1] = B[B_at + first + 1];
      B_v[2] = B[B_at + first + 2];
      B_v[3] = B[B_at + first + 3];
      [[unroll]]
      for (int lane = 0; lane < 4; lane++) {
        C_v[lane] = rv_max_float32((rv_exp32((A_v[lane] * B_v[lane])) - 1.0f), 0.0f);
      }
      C[C_at + ((i * 4) + first) + 0] = C_v[0];
      C[C_at + ((i * 4) + first) + 1] = C_v[1];
      C[C_at + ((i * 4) + first) + 2] = C_v[2];
      C[C_at + ((i * 4) + first) + 3] = C_v[3];
    }
  }
}
