// elementwise_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline float rv_max_float(float a, float b) { return a != a || a > b ? a : b; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void elementwise_0(__global float* A, int A_at, __global float* B, int B_at, __global float* C, int C_at, int n) {
  const int group = (int)get_group_id(0);
  {
    const int item = (int)get_local_id(0);
    const int i = ((group * 64) + item);
    if ((i < n)) {
      const int first = 0;
      float A_v[4];
      float B_v[4];
      float C_v[4];
      vstore4(vload4(0, A + A_at + ((i * 4) + first)), 0, A_v);
      vstore4(vload4(0, B + B_at + first), 0, B_v);
      #pragma unroll
      for (int lane = 0; lane < 4; lane++) {
        C_v[lane] = rv_max_float((exp((A_v[lane] * B_v[lane])) - 1.0f), 0.0f);
      }
      vstore4(vload4(0, C_v), 0, C + C_at + ((i * 4) + first));
    }
  }
}
