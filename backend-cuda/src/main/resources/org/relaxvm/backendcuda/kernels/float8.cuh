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
