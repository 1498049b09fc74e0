#version 460
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
//! kernel softmax_0: groups of 64, 2 buffers, 20 bytes of arguments
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer rv_buffer0 { float P[]; };
layout(set = 0, binding = 1, std430) buffer rv_buffer1 { float C[]; };
layout(push_constant, std430) uniform rv_arguments {
  int P_at;
  int C_at;
  int n;
  int m;
  int row_first;
};
shared float X_parts[64];
shared float S_parts[64];
shared float X[1];
shared float S[1];
void main() {
  const int row = int(gl_WorkGroupID.x) + row_first;
  {
    const int item = int(gl_LocalInvocationID.x);
    float X_acc[1];
    X_acc[0] = uintBitsToFloat(0xff800000u);
    for (int turn = 0; turn < ((m + 63) / 64); turn++) {
      const int k = ((turn * 64) + item);
      if ((k < m)) {
        X_acc[0] = rv_max_float32(X_acc[0], P[P_at + ((row * m) + k)]);
      }
    }
    X_parts[item] = X_acc[0];
  }
  barrier();
  {
    const int item_1 = int(gl_LocalInvocationID.x);
    if ((item_1 < 32)) {
      X_parts[item_1] = rv_max_float32(X_parts[item_1], X_parts[(item_1 + 32)]);
    }
  }
  barrier();
  {
    const int item_2 = int(gl_LocalInvocationID.x);
    if ((item_2 < 16)) {
      X_parts[item_2] = rv_max_float32(X_parts[item_2], X_parts[(item_2 + 16)]);
    }
  }
  barrier();
  {
    const int item_3 = int(gl_LocalInvocationID.x);
    if ((item_3 < 8)) {
      X_parts[item_3] = rv_max_float32(X_parts[item_3], X_parts[(item_3 + 8)]);
    }
  }
  barrier();
  {
    const int item_4 = int(gl_LocalInvocationID.x);
    if ((item_4 < 4)) {
      X_parts[item_4] = rv_max_float32(X_parts[item_4], X_parts[(item_4 + 4)]);
    }
  }
  barrier();
  {
    const int item_5 = int(gl_LocalInvocationID.x);
    if ((item_5 < 2)) {
      X_parts[item_5] = rv_max_float32(X_parts[item_5], X_parts[(item_5 + 2)]);
    }
  }
  barrier();
  {
    const int item_6 = int(gl_LocalInvocationID.x);
    if ((item_6 < 1)) {
      X_parts[0] = rv_max_float32(X_parts[0], X_parts[1]);
    }
  }
  barrier();
  {
    const int item_7 = int(gl_LocalInvocationID.x);
    if ((item_7 < 1)) {
      const float result = rv_max_float32(uintBitsToFloat(0xff800000u), X_parts[0]);
      X[0] = result;
    }
  }
  barrier();
  {
    const int item_8 = int(gl_LocalInvocationID.x);
    float S_acc[1];
    S_acc[0] = 0.0f;
    for (int turn_1 = 0; turn_1 < ((m + 63) / 64); turn_1++) {
      const int k_1 = ((turn_1 * 64) + item_8);
      if ((k_1 < m)) {
        S_acc[0] = (S_acc[0] + rv_exp32((P[P_at + ((row * m) + k_1)] - X[0])));
      }
    }
    S_parts[item_8] = S_acc[0];
  }
  barrier();
  {
    const int item_9 = int(gl_LocalInvocationID.x);
    if ((item_9 < 32)) {
      S_parts[item_9] = (S_parts[item_9] + S_parts[(item_9 + 32)]);
    }
  }
  barrier();
  {
    const int item_10 = int(gl_LocalInvocationID.x);
    if ((item_10 < 16)) {
      S_parts[item_10] = (S_parts[item_10] + S_parts[(item_10 + 16)]);
    }
  }
  barrier();
  {
    const int item_11 = int(gl_LocalInvocationID.x);
    if ((item_11 < 8)) {
      S_parts[item_11] = (S_parts[item_11] + S_parts[(item_11 + 8)]);
    }
  }
  barrier();
  {
    const int item_12 = int(gl_LocalInvocationID.x);
    if ((item_12 < 4)) {
      S_parts[item_12] = (S_parts[item_12] + S_parts[(item_12 + 4)]);
    }
  }
  barrier();
  {
    const int item_13 = int(gl_LocalInvocationID.x);
    if ((item_13 < 2)) {
      S_parts[item_13] = (S_parts[item_13] + S_parts[(item_13 + 2)]);
    }
  }
  barrier();
  {
    const int item_14 = int(gl_LocalInvocationID.x);
    if ((item_14 < 1)) {
      S_parts[0] = (S_parts[0] + S_parts[1]);
    }
  }
  barrier();
  {
    const int item_15 = int(gl_LocalInvocationID.x);
    if ((item_15 < 1)) {
      const float result_1 = (0.0f + S_parts[0]);
      S[0] = result_1;
    }
  }
  barrier();
  {
    const int item_16 = int(gl_LocalInvocationID.x);
    for (int turn_2 = 0; turn_2 < ((m + 63) / 64); turn_2++) {
      const int i = ((turn_2 * 64) + item_16);
      if ((i < m)) {
        C[C_at + ((row * m) + i)] = (rv_exp32((P[P_at + ((row * m) + i)] - X[0])) / S[0]);
      }
    }
  }
}
