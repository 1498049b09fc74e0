// elementwise_0: groups of 64, 0 bytes shared
// Elements that lie beside each other, at once where their address allows it.
template <typename T, int N> struct alignas(N * sizeof(T)) rv_vector { T at[N]; };
template <typename T, int N> static __device__ inline bool rv_is_aligned(const rv_vector<T, N>& v, const T* at) {
  return ((unsigned long long)at & (sizeof(v) - 1)) == 0;
}
template <typename T, int N> static __device__ inline void rv_load_at_once(rv_vector<T, N>& v, const T* from) {
  v = *(const rv_vector<T, N>*)from;
}
template <typename T, int N> static __device__ inline void rv_load(rv_vector<T, N>& v, const T* from) {
  if (rv_is_aligned(v, from)) {
    rv_load_at_once(v, from);
  } else {
    #pragma unroll
    for (int i = 0; i < N; i++) v.at[i] = from[i];
  }
}
template <typename T, int N> static __device__ inline void rv_store(const rv_vector<T, N>& v, T* to) {
  if (rv_is_aligned(v, to)) {
    *(rv_vector<T, N>*)to = v;
  } else {
    #pragma unroll
    for (int i = 0; i < N; i++) to[i] = v.at[i];
  }
}
static __device__ inline float rv_max_float(float a, float b) { return a != a || a > b ? a : b; }
extern "C" __global__ void __launch_bounds__(64)
elementwise_0(const float* A, const float* B, float* C, int n) {
  const int group = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    const int i = ((group * 64) + item);
    if ((i < n)) {
      const int first = 0;
      float A_v[4];
      float B_v[4];
      float C_v[4];
      {
        rv_vector<float, 4> rv_v0;
        rv_vector<float, 4> rv_v1;
        if (rv_is_aligned(rv_v0, A + ((i * 4) + first)) && rv_is_aligned(rv_v1, B + first)) {
          rv_load_at_once(rv_v0, A + ((i * 4) + first));
          rv_load_at_once(rv_v1, B + first);
        } else {
          rv_load(rv_v0, A + ((i * 4) + first));
          rv_load(rv_v1, B + first);
        }
        #pragma unroll
        for (int rv_i = 0; rv_i < 4; rv_i++) A_v[rv_i] = rv_v0.at[rv_i];
        #pragma unroll
        for (int rv_i = 0; rv_i < 4; rv_i++) B_v[rv_i] = rv_v1.at[rv_i];
      }
      #pragma unroll
      for (int lane = 0; lane < 4; lane++) {
        C_v[lane] = rv_max_float((expf((A_v[lane] * B_v[lane])) - 1.0f), 0.0f);
      }
      {
        rv_vector<float, 4> rv_v;
        #pragma unroll
        for (int rv_i = 0; rv_i < 4; rv_i++) rv_v.at[rv_i] = C_v[rv_i];
        rv_store(rv_v, C + ((i * 4) + first));
      }
    }
  }
}
