// Shared memory whose size is given at the launch. It starts at a multiple of 16 bytes.
static __device__ __forceinline__ unsigned char* rv_launch_memory() {
  extern __shared__ __align__(16) unsigned char rv_launch_bytes[];
  return rv_launch_bytes;
}
