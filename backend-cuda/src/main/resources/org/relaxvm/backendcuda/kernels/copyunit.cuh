// Copies of 4, 8 or 16 bytes to shared memory that run beside the work of the thread that begins
// them; the first some bytes are read, the others become 0.
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
