// gather_0: groups of 64, 0 bytes shared
extern "C" __global__ void __launch_bounds__(64)
gather_0(float* C, const long long* P, const float* A, int m, int n) {
  const int group = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    const int i = ((group * 64) + item);
    if ((i < m)) {
      C[i] = (((0LL <= P[i]) && (P[i] < ((long long)n))) ? A[(int)(P[i])] : 0.0f);
    }
  }
}
