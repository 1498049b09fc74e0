// Copies from memory of the device to shared memory that run beside the work of the thread that
// begins them.
//
// rv_cp_async<N>(to, from, count) means: to[i] = i < count ? from[i] : 0 for i from 0 to N - 1,
// where only the first count elements of from are read. N * sizeof(T) is 1, 2, 4, 8 or 16; to is a
// multiple of that, from may be any element. The elements may be read from shared memory after
// rv_cp_async_wait and a barrier.
//
// rv_cp_async_commit() ends a group of copies of the thread, which may be empty.
// rv_cp_async_wait<N>() waits for all groups of the thread but the last N.
template <int N, typename T> static __device__ __forceinline__ void rv_cp_async(T* to, const T* from, int count) {
  constexpr int BYTES = N * sizeof(T);
#if __CUDA_ARCH__ >= 800
  if constexpr (BYTES >= 4) {
    const unsigned long long place = (unsigned long long)from;
    if ((place & (BYTES - 1)) == 0) {
      rv_cp_async_bytes<BYTES>(to, from, count * (int)sizeof(T));
      return;
    }
    if ((place & 3) == 0) {
      constexpr int EACH = 4 / sizeof(T);
      #pragma unroll
      for (int i = 0; i < N; i += EACH) {
        const int left = count - i;
        rv_cp_async_bytes<4>(to + i, from + i, (left <= 0 ? 0 : left >= EACH ? EACH : left) * (int)sizeof(T));
      }
      return;
    }
  }
#endif
  #pragma unroll
  for (int i = 0; i < N; i++) to[i] = i < count ? from[i] : (T)0;
}
