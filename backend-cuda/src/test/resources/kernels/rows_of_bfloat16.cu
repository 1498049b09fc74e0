// rows_of_bfloat16_0: groups of 64, 0 bytes shared
// Floats of 16 bits with the range of 32, which are stored by their bits. They round to the nearest, ties to even.
static __device__ inline float rv_of_bf16(unsigned short bits) { return __uint_as_float((unsigned int)bits << 16); }
static __device__ inline unsigned short rv_bf16(float x) {
#if __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
#else
  const unsigned int u = __float_as_uint(x);
  return x != x ? (unsigned short)(u >> 16 | 0x40u) : (unsigned short)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
#endif
}
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
static __device__ inline int rv_div_int32(int a, int b) { return b == 0 ? 0 : b == (int)-1 && b < 0 ? (int)(0 - a) : a / b; }
static __device__ inline int rv_rem_int32(int a, int b) { return b == 0 || b == (int)-1 && b < 0 ? 0 : a % b; }
extern "C" __global__ void __launch_bounds__(64)
rows_of_bfloat16_0(const unsigned short* A, const unsigned short* B, const unsigned short* D, unsigned short* C, int n, int m) {
  const int group = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    const int i = ((group * 64) + item);
    if ((i < (n * ((m + 7) / 8)))) {
      const int first = (rv_rem_int32(i, ((m + 7) / 8)) * 8);
      if (((first + 8) <= m)) {
        float A_v[8];
        float B_v[8];
        float C_v[8];
        {
          rv_vector<unsigned short, 8> rv_v0;
          rv_vector<unsigned short, 8> rv_v1;
          if (rv_is_aligned(rv_v0, A + ((m * rv_div_int32(i, ((m + 7) / 8))) + first)) && rv_is_aligned(rv_v1, B + first)) {
            rv_load_at_once(rv_v0, A + ((m * rv_div_int32(i, ((m + 7) / 8))) + first));
            rv_load_at_once(rv_v1, B + first);
          } else {
            rv_load(rv_v0, A + ((m * rv_div_int32(i, ((m + 7) / 8))) + first));
            rv_load(rv_v1, B + first);
          }
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) A_v[rv_i] = rv_of_bf16(rv_v0.at[rv_i]);
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) B_v[rv_i] = rv_of_bf16(rv_v1.at[rv_i]);
        }
        #pragma unroll
        for (int lane = 0; lane < 8; lane++) {
          C_v[lane] = ((A_v[lane] * B_v[lane]) + rv_of_bf16(D[rv_div_int32(i, ((m + 7) / 8))]));
        }
        {
          rv_vector<unsigned short, 8> rv_v;
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) rv_v.at[rv_i] = rv_bf16(C_v[rv_i]);
          rv_store(rv_v, C + ((m * rv_div_int32(i, ((m + 7) / 8))) + first));
        }
      } else {
        for (int turn = 0; turn < (m - first); turn++) {
          C[(((m * rv_div_int32(i, ((m + 7) / 8))) + first) + turn)] = rv_bf16(((rv_of_bf16(A[(((m * rv_div_int32(i, ((m + 7) / 8))) + first) + turn)]) * rv_of_bf16(B[(first + turn)])) + rv_of_bf16(D[rv_div_int32(i, ((m + 7) / 8))])));
        }
      }
    }
  }
}
