// elementwise_wide_0: groups of 64, 0 bytes shared
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
elementwise_wide_0(const float* A, const float* B, float* C, long long n, long long group_first) {
  const long long group = (long long)blockIdx.x + group_first;
  {
    const long long item = (long long)threadIdx.x;
    const long long i = ((group * 64LL) + item);
    if ((i < n)) {
      const long long first = 0LL;
      float A_v[4];
      float B_v[4];
      float C_v[4];
      {
        rv_vector<float, 4> rv_v0;
        rv_vector<float, 4> rv_v1;
        if (rv_is_aligned(rv_v0, A + ((i * 4LL) + first)) && rv_is_aligned(rv_v1, B + first)) {
          rv_load_at_once(rv_v0, A + ((i * 4LL) + first));
          rv_load_at_once(rv_v1, B + first);
        } else {
          rv_load(rv_v0, A + ((i * 4LL) + first));
          rv_load(rv_v1, B + first);
        }
        #pragma unroll
        for (int rv_i = 0; rv_i < 4; rv_i++) A_v[rv_i] = rv_v0.at[rv_i];
        #pragma unroll
        for (int rv_i = 0; rv_i < 4; rv_i++) B_v[rv_i] = rv_v1.at[rv_i];
      }
      #pragma unroll
      for (long long lane = 0LL; lane < 4LL; lane++) {
        C_v[lane] = rv_max_float((expf((A_v[lane] * B_v[lane])) - 1.0f), 0.0f);
      }
      {
        rv_vector<float, 4> rv_v;
        #pragma unroll
        for (int rv_i = 0; rv_i < 4; rv_i++) rv_v.at[rv_i] = C_v[rv_i];
        rv_store(rv_v, C + ((i * 4LL) + first));
      }
    }
  }
}
