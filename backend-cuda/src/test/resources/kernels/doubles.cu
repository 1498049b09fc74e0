// doubles_0: groups of 64, 0 bytes shared
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
extern "C" __global__ void __launch_bounds__(64)
doubles_0(const double* A, double* C, int n) {
  const int group = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    const int i = ((group * 64) + item);
    if ((i < ((n + 1) / 2))) {
      const int first = (i * 2);
      if (((first + 2) <= n)) {
        double A_v[2];
        double C_v[2];
        {
          rv_vector<double, 2> rv_v;
          rv_load(rv_v, A + first);
          #pragma unroll
          for (int rv_i = 0; rv_i < 2; rv_i++) A_v[rv_i] = rv_v.at[rv_i];
        }
        #pragma unroll
        for (int lane = 0; lane < 2; lane++) {
          C_v[lane] = (A_v[lane] * A_v[lane]);
        }
        {
          rv_vector<double, 2> rv_v;
          #pragma unroll
          for (int rv_i = 0; rv_i < 2; rv_i++) rv_v.at[rv_i] = C_v[rv_i];
          rv_store(rv_v, C + first);
        }
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[(first + turn)] = (A[(first + turn)] * A[(first + turn)]);
        }
      }
    }
  }
}
