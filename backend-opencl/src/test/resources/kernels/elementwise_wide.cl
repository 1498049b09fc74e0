// elementwise_wide_0: groups of 64, 0 bytes shared
#pragma OPENCL FP_CONTRACT OFF
static inline float rv_max_float(float a, float b) { return a != a || a > b ? a : b; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void elementwise_wide_0(__global float* C, long C_at, __global float* A, long A_at, __global float* B, long B_at, long n) {
  const long group = (long)get_group_id(0);
  {
    const long item = (long)get_local_id(0);
    const long i = ((group * 64L) + item);
    if ((i < (n * 4L))) {
      C[C_at + i] = rv_max_float((exp((A[A_at + i] * B[B_at + (i % 4L)])) - 1.0f), 0.0f);
    }
  }
}
