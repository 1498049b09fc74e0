// Copies from memory of the device to shared memory that run beside the work of the thread that
// begins them.
//
// rv_cp_async<N>(to, from, count) means: to[i] = i < count ? from[i] : 0 for i from 0 to N - 1,
// where only the first count elements of from are read. N * sizeof(T) is 2, 4, 8 or 16; to is a
// multiple of that, from may be any element. The elements may be read from shared memory after
// rv_cp_async_wait and a barrier.
//
// rv_cp_async_commit() ends a group of copies of the thread, which may be empty.
// rv_cp_async_wait<N>() waits for all groups of the thread but the last N.
template <int BYTES> static __device__ __forceinline__ void rv_cp_async_bytes(void* to, const void* from, int some) {
#if __CUDA_ARCH__ >= 800
  asm volatile("{ .reg .u64 a; .reg .u32 s; cvta.to.shared.u64 a, %0; cvt.u32.u64 s, a; cp.async.ca.shared.global [s], [%1], %2, %3; }"
               :: "l"(to), "l"(from), "n"(BYTES), "r"(some) : "memory");
#endif
}
template <> __device__ __forceinline__ void rv_cp_async_bytes<16>(void* to, const void* from, int some) {
#if __CUDA_ARCH__ >= 800
  asm volatile("{ .reg .u64 a; .reg .u32 s; cvta.to.shared.u64 a, %0; cvt.u32.u64 s, a; cp.async.cg.shared.global [s], [%1], 16, %2; }"
               :: "l"(to), "l"(from), "r"(some) : "memory");
#endif
}
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
static __device__ __forceinline__ void rv_cp_async_commit() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int N> static __device__ __forceinline__ void rv_cp_async_wait() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory");
#endif
}
