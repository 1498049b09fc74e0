// truths_0: groups of 64, 0 bytes shared
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
truths_0(const unsigned char* B, const signed char* A, unsigned char* C, int n, int m) {
  const int group = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    const int i = ((group * 64) + item);
    if ((i < (((n * m) + 15) / 16))) {
      const int first = (i * 16);
      if (((first + 16) <= (n * m))) {
        int B_v[16];
        signed char A_v[16];
        int C_v[16];
        {
          rv_vector<unsigned char, 16> rv_v0;
          rv_vector<signed char, 16> rv_v1;
          if (rv_is_aligned(rv_v0, B + first) && rv_is_aligned(rv_v1, A + first)) {
            rv_load_at_once(rv_v0, B + first);
            rv_load_at_once(rv_v1, A + first);
          } else {
            rv_load(rv_v0, B + first);
            rv_load(rv_v1, A + first);
          }
          #pragma unroll
          for (int rv_i = 0; rv_i < 16; rv_i++) B_v[rv_i] = rv_v0.at[rv_i];
          #pragma unroll
          for (int rv_i = 0; rv_i < 16; rv_i++) A_v[rv_i] = rv_v1.at[rv_i];
        }
        #pragma unroll
        for (int lane = 0; lane < 16; lane++) {
          C_v[lane] = (B_v[lane] && (A_v[lane] < ((signed char)3)));
        }
        {
          rv_vector<unsigned char, 16> rv_v;
          #pragma unroll
          for (int rv_i = 0; rv_i < 16; rv_i++) rv_v.at[rv_i] = C_v[rv_i];
          rv_store(rv_v, C + first);
        }
      } else {
        for (int turn = 0; turn < ((n * m) - first); turn++) {
          C[(first + turn)] = (B[(first + turn)] && (A[(first + turn)] < ((signed char)3)));
        }
      }
    }
  }
}
