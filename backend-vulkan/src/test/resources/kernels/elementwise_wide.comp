#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
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

//! rv_long
// An integer with 64 bits. Negative ones are put together from halves: Mesa 22.3 finds no
// int64_t(x) of an int less than a constant.
int64_t rv_long(int x) { return packInt2x32(ivec2(x, x >> 31)); }
int64_t rv_long(uint x) { return int64_t(x); }
int64_t rv_long(int64_t x) { return x; }
//! rv_max_float32
float rv_max_float32(float a, float b) { return rv_isnan32(a) || a > b ? a : b; }
//! kernel elementwise_wide_0: groups of 64, 3 buffers by address, 64 bytes of arguments
layout(local_size_x_id = 0) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer rv_at_A { float v; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer rv_at_B { float v; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer rv_at_C { float v; };
layout(push_constant, std430) uniform rv_arguments {
  uint64_t A;
  int64_t A_at;
  uint64_t B;
  int64_t B_at;
  uint64_t C;
  int64_t C_at;
  int64_t n;
  int64_t group_first;
};
void main() {
  const int64_t group = rv_long(gl_WorkGroupID.x) + group_first;
  {
    const int64_t item = rv_long(gl_LocalInvocationID.x);
    const int64_t i = ((group * 64L) + item);
    if ((i < n)) {
      const int64_t first = 0L;
      float A_v[4];
      float B_v[4];
      float C_v[4];
      A_v[0] = rv_at_A(A + 4UL * uint64_t(A_at + ((i * 4L) + first) + 0)).v;
      A_v[1] = rv_at_A(A + 4UL * uint64_t(A_at + ((i * 4L) + first) + 1)).v;
      A_v[2] = rv_at_A(A + 4UL * uint64_t(A_at + ((i * 4L) + first) + 2)).v;
      A_v[3] = rv_at_A(A + 4UL * uint64_t(A_at + ((i * 4L) + first) + 3)).v;
      B_v[0] = rv_at_B(B + 4UL * uint64_t(B_at + first + 0)).v;
      B_v[1] = rv_at_B(B + 4UL * uint64_t(B_at + first + 1)).v;
      B_v[2] = rv_at_B(B + 4UL * uint64_t(B_at + first + 2)).v;
      B_v[3] = rv_at_B(B + 4UL * uint64_t(B_at + first + 3)).v;
      [[unroll]]
      for (int64_t lane = 0L; lane < 4L; lane++) {
        C_v[int(lane)] = rv_max_float32((rv_exp32((A_v[int(lane)] * B_v[int(lane)])) - 1.0f), 0.0f);
      }
      rv_at_C(C + 4UL * uint64_t(C_at + ((i * 4L) + first) + 0)).v = C_v[0];
      rv_at_C(C + 4UL * uint64_t(C_at + ((i * 4L) + first) + 1)).v = C_v[1];
      rv_at_C(C + 4UL * uint64_t(C_at + ((i * 4L) + first) + 2)).v = C_v[2];
      rv_at_C(C + 4UL * uint64_t(C_at + ((i * 4L) + first) + 3)).v = C_v[3];
    }
  }
}
