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
//! rv_max_int32
int rv_max_int32(int a, int b) { return a > b ? a : b; }
//! rv_min_int32
int rv_min_int32(int a, int b) { return a < b ? a : b; }
//! kernel attention_0: groups of 64, 4 buffers, 28 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { float Q[]; };
layout(set = 0, binding = 1, std430) readonly buffer rv_buffer1 { float K[]; };
layout(set = 0, binding = 2, std430) readonly buffer rv_buffer2 { float V[]; };
layout(set = 0, binding = 3, std430) buffer rv_buffer3 { float a[]; };
layout(push_constant, std430) uniform rv_arguments {
  int Q_at;
  int K_at;
  int V_at;
  int a_at;
  int n;
  int m;
  int row_group_first;
};
shared float row_tile[512];
shared float tile[512];
shared float weights[1056];
shared float shares[256];
shared float largest[32];
shared float scale[32];
shared float sum[32];
void main() {
  const int batch = int(gl_WorkGroupID.z);
  const int row_group = int(gl_WorkGroupID.x) + row_group_first;
  float scores[16];
  float weighted[4];
  {
    const int item = int(gl_LocalInvocationID.x);
    [[unroll]]
    for (int n_1 = 0; n_1 < 4; n_1++) {
      [[unroll]]
      for (int n_2 = 0; n_2 < 1; n_2++) {
        weighted[n_1] = 0.0f;
      }
    }
    for (int turn = 0; turn < 1; turn++) {
      const int row = ((turn * 64) + item);
      if ((row < 32)) {
        largest[row] = uintBitsToFloat(0xff800000u);
        sum[row] = 0.0f;
      }
    }
  }
  for (int block = 0; block < rv_max_int32(0, ((rv_min_int32(m, (((row_group * 32) + 31) + 1)) + 31) / 32)); block++) {
    {
      const int item_1 = int(gl_LocalInvocationID.x);
      [[unroll]]
      for (int n_3 = 0; n_3 < 4; n_3++) {
        [[unroll]]
        for (int n_4 = 0; n_4 < 4; n_4++) {
          scores[((n_3 * 4) + n_4)] = 0.0f;
        }
      }
    }
    for (int slice = 0; slice < 1; slice++) {
      barrier();
      {
        const int item_2 = int(gl_LocalInvocationID.x);
        for (int turn_1 = 0; turn_1 < 8; turn_1++) {
          const int element = ((turn_1 * 64) + item_2);
          const int at = ((row_group * 32) + (element / 16));
          const int k = ((slice * 16) + (element % 16));
          row_tile[((element / 16) + ((element % 16) * 32))] = (((at < n) && (k < 8)) ? Q[Q_at + (((batch * 8) + (at * 16)) + k)] : 0.0f);
        }
        for (int turn_2 = 0; turn_2 < 8; turn_2++) {
          const int element_1 = ((turn_2 * 64) + item_2);
          const int at_1 = ((block * 32) + (element_1 / 16));
          const int k_1 = ((slice * 16) + (element_1 % 16));
          tile[((element_1 / 16) + ((element_1 % 16) * 32))] = (((at_1 < m) && (k_1 < 8)) ? K[K_at + (((batch * 8) + (at_1 * 16)) + k_1)] : 0.0f);
        }
      }
      barrier();
      {
        const int item_3 = int(gl_LocalInvocationID.x);
        for (int k_2 = 0; k_2 < 16; k_2++) {
          [[unroll]]
          for (int n_5 = 0; n_5 < 4; n_5++) {
            [[unroll]]
            for (int n_6 = 0; n_6 < 4; n_6++) {
              scores[((n_5 * 4) + n_6)] = fma(row_tile[(((k_2 * 32) + (n_5 * 8)) + (item_3 / 8))], tile[(((k_2 * 32) + (n_6 * 8)) + (item_3 % 8))], scores[((n_5 * 4) + n_6)]);
            }
          }
        }
      }
    }
    {
      const int item_4 = int(gl_LocalInvocationID.x);
      float best[1];
      [[unroll]]
      for (int n_7 = 0; n_7 < 4; n_7++) {
        best[0] = uintBitsToFloat(0xff800000u);
        [[unroll]]
        for (int n_8 = 0; n_8 < 4; n_8++) {
          const int row_1 = ((row_group * 32) + ((item_4 / 8) + (n_7 * 8)));
          const int key = ((block * 32) + ((item_4 % 8) + (n_8 * 8)));
          scores[((n_7 * 4) + n_8)] = ((((row_1 < n) && (key < m)) && (key <= row_1)) ? ((0.0f + scores[((n_7 * 4) + n_8)]) * 0.35355338f) : uintBitsToFloat(0xff800000u));
          best[0] = rv_max_float32(best[0], scores[((n_7 * 4) + n_8)]);
        }
        shares[(item_4 + (n_7 * 64))] = best[0];
      }
    }
    barrier();
    {
      const int item_5 = int(gl_LocalInvocationID.x);
      float best_1[1];
      for (int turn_3 = 0; turn_3 < 1; turn_3++) {
        const int row_2 = ((turn_3 * 64) + item_5);
        if ((row_2 < 32)) {
          const float before = largest[row_2];
          best_1[0] = before;
          for (int share = 0; share < 8; share++) {
            best_1[0] = rv_max_float32(best_1[0], shares[((row_2 * 8) + share)]);
          }
          const float now = best_1[0];
          scale[row_2] = ((before == now) ? 1.0f : rv_exp32((before - now)));
          largest[row_2] = now;
        }
      }
    }
    barrier();
    {
      const int item_6 = int(gl_LocalInvocationID.x);
      float total[1];
      [[unroll]]
      for (int n_9 = 0; n_9 < 4; n_9++) {
        total[0] = 0.0f;
        [[unroll]]
        for (int n_10 = 0; n_10 < 4; n_10++) {
          const int row_3 = ((row_group * 32) + ((item_6 / 8) + (n_9 * 8)));
          const int key_1 = ((block * 32) + ((item_6 % 8) + (n_10 * 8)));
          const float weight = ((((row_3 < n) && (key_1 < m)) && (key_1 <= row_3)) ? ((scores[((n_9 * 4) + n_10)] == uintBitsToFloat(0xff800000u)) ? 0.0f : rv_exp32((scores[((n_9 * 4) + n_10)] - largest[((n_9 * 8) + (item_6 / 8))]))) : (-1.0f));
          weights[((((n_9 * 264) + (n_10 * 8)) + ((item_6 / 8) * 33)) + (item_6 % 8))] = weight;
          total[0] = (total[0] + ((weight < 0.0f) ? 0.0f : weight));
        }
        shares[(item_6 + (n_9 * 64))] = total[0];
        [[unroll]]
        for (int n_11 = 0; n_11 < 1; n_11++) {
          weighted[n_9] = (weighted[n_9] * scale[((n_9 * 8) + (item_6 / 8))]);
        }
      }
    }
    barrier();
    {
      const int item_7 = int(gl_LocalInvocationID.x);
      float total_1[1];
      for (int turn_4 = 0; turn_4 < 1; turn_4++) {
        const int row_4 = ((turn_4 * 64) + item_7);
        if ((row_4 < 32)) {
          total_1[0] = (sum[row_4] * scale[row_4]);
          for (int share_1 = 0; share_1 < 8; share_1++) {
            total_1[0] = (total_1[0] + shares[((row_4 * 8) + share_1)]);
          }
          sum[row_4] = total_1[0];
        }
      }
    }
    for (int slice_1 = 0; slice_1 < 2; slice_1++) {
      barrier();
      {
        const int item_8 = int(gl_LocalInvocationID.x);
        for (int turn_5 = 0; turn_5 < 2; turn_5++) {
          const int element_2 = ((turn_5 * 64) + item_8);
          const int at_2 = (element_2 % 8);
          const int k_3 = (((block * 32) + (slice_1 * 16)) + (element_2 / 8));
          tile[element_2] = (((at_2 < 8) && (k_3 < m)) ? V[V_at + (((batch * 8) + at_2) + (k_3 * 16))] : 0.0f);
        }
      }
      barrier();
      {
        const int item_9 = int(gl_LocalInvocationID.x);
        for (int k_4 = 0; k_4 < 16; k_4++) {
          [[unroll]]
          for (int n_12 = 0; n_12 < 4; n_12++) {
            [[unroll]]
            for (int n_13 = 0; n_13 < 1; n_13++) {
              weighted[n_12] = ((weights[((((slice_1 * 16) + k_4) + (n_12 * 264)) + ((item_9 / 8) * 33))] < 0.0f) ? weighted[n_12] : fma(weights[((((slice_1 * 16) + k_4) + (n_12 * 264)) + ((item_9 / 8) * 33))], tile[((k_4 * 8) + (item_9 % 8))], weighted[n_12]));
            }
          }
        }
      }
    }
  }
  barrier();
  {
    const int item_10 = int(gl_LocalInvocationID.x);
    [[unroll]]
    for (int n_14 = 0; n_14 < 4; n_14++) {
      [[unroll]]
      for (int n_15 = 0; n_15 < 1; n_15++) {
        const int row_5 = ((row_group * 32) + ((item_10 / 8) + (n_14 * 8)));
        const int column = ((item_10 % 8) + (n_15 * 8));
        if (((row_5 < n) && (column < 8))) {
          const float mean = (weighted[n_14] / sum[((n_14 * 8) + (item_10 / 8))]);
          a[a_at + (((batch * 8) + (row_5 * 16)) + column)] = ((m == 0) ? 0.0f : mean);
        }
      }
    }
  }
}
