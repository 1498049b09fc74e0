// Conversions. Floats of 8 and 16 bits, and of 64 where the device lacks them, are taken apart by bits and
// computed in float32; rounding is to the nearest, ties to even.

//! rv_of_f16
// The bits of a float16 as a float.
float rv_of_f16(uint h) {
  uint s = (h & 0x8000u) << 16, e = h >> 10 & 0x1fu, m = h & 0x3ffu;
  if (e == 0u) return uintBitsToFloat(s | floatBitsToUint(float(m) * 5.9604644775390625e-8f));
  return uintBitsToFloat(s | (e == 31u ? 0x7f800000u : (e + 112u) << 23) | m << 13);
}

//! rv_f16
// The bits of the float16 that is nearest to a float.
uint rv_f16(float x) {
  uint u = floatBitsToUint(x), a = u & 0x7fffffffu, s = u >> 16 & 0x8000u;
  if (a > 0x7f800000u) return s | 0x7e00u | (a >> 13 & 0x3ffu);
  if (a >= 0x477ff000u) return s | 0x7c00u;
  if (a >= 0x38800000u) return s | (a - 0x38000000u + 0xfffu + (a >> 13 & 1u)) >> 13;
  uint e = a >> 23;
  if (e < 102u) return s;
  uint m = a & 0x7fffffu | 0x800000u, n = 126u - e;
  return s | (m + (1u << (n - 1u)) - 1u + (m >> n & 1u)) >> n;
}

//! rv_half needs rv_of_f16, rv_f16
// A float rounded to float16.
float rv_half(float x) { return rv_of_f16(rv_f16(x)); }

//! rv_of_bf16
// The bits of a bfloat16 as a float.
float rv_of_bf16(uint x) { return uintBitsToFloat(x << 16); }

//! rv_bf16
// The bits of the bfloat16 that is nearest to a float.
uint rv_bf16(float x) {
  uint u = floatBitsToUint(x);
  if ((u & 0x7fffffffu) > 0x7f800000u) return u >> 16 | 0x40u;
  return (u + 0x7fffu + (u >> 16 & 1u)) >> 16;
}

//! rv_of_float8
// The bits of a float of 8 bits as a float: f of fraction, exponents with a bias of b, up to the
// number l; n is not a number.
float rv_of_float8(uint x, uint f, uint b, uint l, uint n) {
  uint s = (x & 0x80u) << 24, a = x & 0x7fu;
  if (a > l) return uintBitsToFloat(s | (a == l + 1u && a != n ? 0x7f800000u : 0x7fc00000u));
  if (a < 1u << f) {
    return uintBitsToFloat(s | floatBitsToUint(float(a) * uintBitsToFloat(128u - b - f << 23)));
  }
  return uintBitsToFloat(s | (a << 23u - f) + (127u - b << 23));
}

//! rv_float8
// The bits of the float of 8 bits that is nearest to a float; what is behind l for what is too large.
uint rv_float8(float x, uint f, uint b, uint l, uint n) {
  uint u = floatBitsToUint(x), s = u >> 24 & 0x80u, a = u & 0x7fffffffu, e = a >> 23;
  if (a > 0x7f800000u) return s | n;
  uint r = a - (127u - b << 23), d = 23u - f;
  if (e < 128u - b) {
    r = a & 0x7fffffu | 0x800000u;
    d = min(d + 128u - b - e, 25u);
  }
  r = r + (1u << d - 1u) - 1u + (r >> d & 1u) >> d;
  return s | (r > l ? l + 1u : r);
}

//! rv_of_e4m3 needs rv_of_float8
float rv_of_e4m3(uint x) { return rv_of_float8(x, 3u, 7u, 0x7eu, 0x7fu); }

//! rv_e4m3 needs rv_float8
uint rv_e4m3(float x) { return rv_float8(x, 3u, 7u, 0x7eu, 0x7fu); }

//! rv_of_e5m2 needs rv_of_float8
float rv_of_e5m2(uint x) { return rv_of_float8(x, 2u, 15u, 0x7bu, 0x7eu); }

//! rv_e5m2 needs rv_float8
uint rv_e5m2(float x) { return rv_float8(x, 2u, 15u, 0x7bu, 0x7eu); }

//! rv_of_f64
// The bits of a double, the low half first, as the nearest float.
float rv_of_f64(uvec2 x) {
  uint s = x.y & 0x80000000u, e = x.y >> 20 & 0x7ffu, h = x.y & 0xfffffu;
  if (e == 0x7ffu) {
    return uintBitsToFloat(s | 0x7f800000u | ((h | x.x) != 0u ? 0x400000u : 0u));
  }
  if (e > 1150u) return uintBitsToFloat(s | 0x7f800000u);
  if (e < 872u) return uintBitsToFloat(s);
  // The 24 bits that a float has with the first one written out, less where it is a denormal.
  uint n = e > 896u ? 29u : 926u - e;
  uint m = h | 0x100000u;
  uint q = n < 32u ? m << (32u - n) | x.x >> n : m >> (n - 32u);
  uint half_bit = n <= 32u ? x.x >> (n - 1u) & 1u : m >> (n - 33u) & 1u;
  bool more = n <= 32u
      ? (x.x & (1u << (n - 1u)) - 1u) != 0u
      : (m & (1u << (n - 33u)) - 1u) != 0u || x.x != 0u;
  q += half_bit & (more ? 1u : q & 1u);
  // A first bit of its own counts into the exponent, and so does what rounding carries there.
  return uintBitsToFloat(s | (e > 896u ? (e - 897u << 23) + q : q));
}

//! rv_f64
// The bits of a float as a double, the low half first.
uvec2 rv_f64(float x) {
  uint u = floatBitsToUint(x), a = u & 0x7fffffffu, s = u & 0x80000000u;
  if (a >= 0x7f800000u) return uvec2(a << 29, s | 0x7ff00000u | (a & 0x7fffffu) >> 3);
  if (a == 0u) return uvec2(0u, s);
  uint e = a >> 23, m = a & 0x7fffffu;
  if (e == 0u) {
    uint n = 23u - uint(findMSB(m));
    m = m << n & 0x7fffffu;
    e = 1u - n;
  }
  return uvec2(m << 29, s | e + 896u << 20 | m >> 3);
}

//! rv_long
// An integer with 64 bits. Negative ones are put together from halves: Mesa 22.3 finds no
// int64_t(x) of an int less than a constant.
int64_t rv_long(int x) { return packInt2x32(ivec2(x, x >> 31)); }
int64_t rv_long(uint x) { return int64_t(x); }
int64_t rv_long(int64_t x) { return x; }
