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
