// elementwise_wide_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline float rv_max_float(float a, float b) { return a != a || a > b ? a : b; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void elementwise_wide_0(__global float* A, long A_at, __global float* B, long B_at, __global float* C, long C_at, long n, long group_first) {
  const long group = (long)get_group_id(0) + group_first;
  {
    const long item = (long)get_local_id(0);
    const long i = ((group * 64L) + item);
    if ((i < n)) {
      const long first = 0L;
      float A_v[4];
      float B_v[4];
      float C_v[4];
      vstore4(vload4(0, A + A_at + ((i * 4L) + first)), 0, A_v);
      vstore4(vload4(0, B + B_at + first), 0, B_v);
      #pragma unroll
      for (long lane = 0L; lane < 4L; lane++) {
        C_v[lane] = rv_max_float((exp((A_v[lane] * B_v[lane])) - 1.0f), 0.0f);
      }
      vstore4(vload4(0, C_v), 0, C + C_at + ((i * 4L) + first));
    }
  }
}
