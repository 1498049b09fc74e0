// bytes_of_floats_0: groups of 64, 0 bytes shared
// Floats of 8 bits, which are stored by their bits: F of fraction, exponents with a bias of B, up to
// the number L; N is not a number. They round to the nearest, ties to even; what is too large
// becomes what is behind L. By bits, as no chip converts without the largest number in its place.
template <unsigned int F, unsigned int B, unsigned int L, unsigned int N>
static __device__ inline float rv_of_float8(unsigned int bits) {
  const unsigned int s = (bits & 0x80u) << 24, a = bits & 0x7fu;
  if (a > L) return __uint_as_float(s | (a == L + 1u && a != N ? 0x7f800000u : 0x7fc00000u));
  if (a < (1u << F)) return __uint_as_float(s | __float_as_uint((float)a * __uint_as_float((128u - B - F) << 23)));
  return __uint_as_float(s | ((a << (23u - F)) + ((127u - B) << 23)));
}
template <unsigned int F, unsigned int B, unsigned int L, unsigned int N>
static __device__ inline unsigned char rv_float8(float x) {
  const unsigned int u = __float_as_uint(x), s = u >> 24 & 0x80u, a = u & 0x7fffffffu, e = a >> 23;
  if (a > 0x7f800000u) return (unsigned char)(s | N);
  unsigned int r = a - ((127u - B) << 23), d = 23u - F;
  if (e < 128u - B) {
    r = (a & 0x7fffffu) | 0x800000u;
    d = d + 128u - B - e > 25u ? 25u : d + 128u - B - e;
  }
  r = (r + (1u << (d - 1u)) - 1u + (r >> d & 1u)) >> d;
  return (unsigned char)(s | (r > L ? L + 1u : r));
}
static __device__ inline float rv_of_e4m3(unsigned char bits) { return rv_of_float8<3, 7, 0x7e, 0x7f>(bits); }
static __device__ inline unsigned char rv_e4m3(float x) { return rv_float8<3, 7, 0x7e, 0x7f>(x); }
static __device__ inline float rv_of_e5m2(unsigned char bits) { return rv_of_float8<2, 15, 0x7b, 0x7e>(bits); }
static __device__ inline unsigned char rv_e5m2(float x) { return rv_float8<2, 15, 0x7b, 0x7e>(x); }
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
bytes_of_floats_0(const unsigned char* A, const unsigned char* B, unsigned char* C, int n) {
  const int group = (int)blockIdx.x;
  {
    const int item = (int)threadIdx.x;
    const int i = ((group * 64) + item);
    if ((i < ((n + 15) / 16))) {
      const int first = (i * 16);
      if (((first + 16) <= n)) {
        float A_v[16];
        float B_v[16];
        float C_v[16];
        {
          rv_vector<unsigned char, 16> rv_v0;
          rv_vector<unsigned char, 16> rv_v1;
          if (rv_is_aligned(rv_v0, A + first) && rv_is_aligned(rv_v1, B + first)) {
            rv_load_at_once(rv_v0, A + first);
            rv_load_at_once(rv_v1, B + first);
          } else {
            rv_load(rv_v0, A + first);
            rv_load(rv_v1, B + first);
          }
          #pragma unroll
          for (int rv_i = 0; rv_i < 16; rv_i++) A_v[rv_i] = rv_of_e5m2(rv_v0.at[rv_i]);
          #pragma unroll
          for (int rv_i = 0; rv_i < 16; rv_i++) B_v[rv_i] = rv_of_e4m3(rv_v1.at[rv_i]);
        }
        #pragma unroll
        for (int lane = 0; lane < 16; lane++) {
          C_v[lane] = rv_of_e4m3(rv_e4m3((A_v[lane] * B_v[lane])));
        }
        {
          rv_vector<unsigned char, 16> rv_v;
          #pragma unroll
          for (int rv_i = 0; rv_i < 16; rv_i++) rv_v.at[rv_i] = rv_e4m3(C_v[rv_i]);
          rv_store(rv_v, C + first);
        }
      } else {
        for (int turn = 0; turn < (n - first); turn++) {
          C[(first + turn)] = rv_e4m3(rv_of_e4m3(rv_e4m3((rv_of_e5m2(A[(first + turn)]) * rv_of_e4m3(B[(first + turn)])))));
        }
      }
    }
  }
}
