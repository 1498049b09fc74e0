// half_0: groups of 64, 0 bytes shared
// Floats of 16 bits, which are stored by their bits. They round to the nearest, ties to even.
static __device__ inline float rv_of_f16(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
static __device__ inline unsigned short rv_f16(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
static __device__ inline float rv_half(float x) { return rv_of_f16(rv_f16(x)); }
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
half_0(const unsigned short* A, unsigned short* C, int n) {
  const int group = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    const int i = ((group * 64) + item);
    if ((i < ((n + 7) / 8))) {
      const int first = (i * 8);
      if (((first + 8) <= n)) {
        float A_v[8];
        float C_v[8];
        {
          rv_vector<unsigned short, 8> rv_v;
          rv_load(rv_v, A + first);
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) A_v[rv_i] = rv_of_f16(rv_v.at[rv_i]);
        }
        #pragma unroll
        for (int lane = 0; lane < 8; lane++) {
          C_v[lane] = ((A_v[lane] * A_v[lane]) + 1.0f);
        }
        {
          rv_vector<unsigned short, 8> rv_v;
          #pragma unroll
          for (int rv_i = 0; rv_i < 8; rv_i++) rv_v.at[rv_i] = rv_f16(C_v[rv_i]);
          rv_store(rv_v, C + first);
        }
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[(first + turn)] = rv_f16(((rv_of_f16(A[(first + turn)]) * rv_of_f16(A[(first + turn)])) + 1.0f));
        }
      }
    }
  }
}
