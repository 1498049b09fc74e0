// Functions of float in GLSL: the ones built in may be far off, or do not exist. They use +, -, *,
// /, sqrt, floor and the bits of numbers only, so that devices hardly differ. No product may be
// contracted with a sum: pairs of numbers, whose sum stands for more digits than one has, are exact
// through that. Polynomials are minimax, by Remez's exchange, on the ranges named. Errors are in
// units in the last place (ULP), the largest found in dense samples, where division and sqrt are
// rounded correctly. Special values are those of C. A line that starts with //! names the function
// that follows, and the functions that it calls.

//! rv_isnan32
// From the bits: compilers take isnan as false where they count on there being none.
bool rv_isnan32(float x) {
  return (floatBitsToUint(x) & 0x7FFFFFFFu) > 0x7F800000u;
}

//! rv_isinf32
// From the bits, as rv_isnan32.
bool rv_isinf32(float x) {
  return (floatBitsToUint(x) & 0x7FFFFFFFu) == 0x7F800000u;
}

//! rv_isfinite32
// Neither infinite nor NaN, from the bits.
bool rv_isfinite32(float x) {
  return (floatBitsToUint(x) & 0x7FFFFFFFu) < 0x7F800000u;
}

//! rv_iszero32
// From the bits: devices may take subnormal numbers as 0.
bool rv_iszero32(float x) {
  return (floatBitsToUint(x) & 0x7FFFFFFFu) == 0u;
}

//! rv_isnegative32
// Whether the sign is set, also that of 0.
bool rv_isnegative32(float x) {
  return (floatBitsToUint(x) & 0x80000000u) != 0u;
}

//! rv_signed32
// The size of the first with the sign of the second.
float rv_signed32(float size, float sign) {
  return uintBitsToFloat(
      (floatBitsToUint(size) & 0x7FFFFFFFu) | (floatBitsToUint(sign) & 0x80000000u));
}

//! rv_trim32
// The leading 12 of 24 bits; the rest has 12 bits, too, so that products of halves are exact.
float rv_trim32(float x) {
  return uintBitsToFloat(floatBitsToUint(x) & 0xFFFFF000u);
}

//! rv_scale32
// x 2^k for k in [-250, 250], in two steps: 2^k alone may not be a normal number.
float rv_scale32(float x, int k) {
  int half_k = k >> 1;
  return x * intBitsToFloat((half_k + 127) << 23) * intBitsToFloat((k - half_k + 127) << 23);
}

//! rv_binade32
// m in [sqrt(1/2), sqrt(2)) with x = m 2^e, for x finite and > 0. A subnormal x is made normal by
// its bits, so that it counts also where devices take it as 0.
float rv_binade32(float x, out int e) {
  int bits = floatBitsToInt(x);
  int up = bits < 0x00800000 ? 23 - findMSB(bits) : 0;
  bits <<= up;
  int k = (bits - 0x3F3504F3) >> 23;
  e = k - up;
  return intBitsToFloat(bits - (k << 23));
}

//! rv_two_sum32
// a + b exactly, as the rounded sum and what it lost (Knuth's two-sum).
vec2 rv_two_sum32(float a, float b) {
  float s = a + b;
  float v = s - a;
  return vec2(s, (a - (s - v)) + (b - v));
}

//! rv_two_product32 needs rv_trim32
// a * b as the rounded product and what it lost (Dekker's product of halves).
vec2 rv_two_product32(float a, float b) {
  float p = a * b;
  float ah = rv_trim32(a);
  float al = a - ah;
  float bh = rv_trim32(b);
  float bl = b - bh;
  return vec2(p, (((ah * bh - p) + ah * bl) + al * bh) + al * bl);
}

//! rv_quotient32 needs rv_two_product32
// a / b of pairs. The rest of the division is exact, so that an imprecise division does no harm.
vec2 rv_quotient32(vec2 a, vec2 b) {
  float q = a.x / b.x;
  vec2 p = rv_two_product32(q, b.x);
  float rest = ((a.x - p.x) - p.y) + (a.y - q * b.y);
  return vec2(q, rest / b.x);
}

//! rv_root32 needs rv_two_product32
// The square root of a pair that is not negative, as a pair.
vec2 rv_root32(vec2 a) {
  float s = sqrt(a.x);
  if (s == 0.0) {
    return vec2(0.0, 0.0);
  }
  vec2 p = rv_two_product32(s, s);
  return vec2(s, (((a.x - p.x) - p.y) + a.y) / (2.0 * s));
}

//! rv_exp_pair32 needs rv_two_sum32
// e to the power of a pair in [-106.0, 90.0], as a pair times 2^k. a - k ln 2 is in [-0.347,
// 0.347], with ln 2 in three parts of which the first is short enough for an exact product; there 1
// + r + r^2/2 + r^3 P(r). Good for some 5 bits more than one number has.
vec2 rv_exp_pair32(vec2 a, out int k) {
  float n = floor(a.x * 1.442695 + 0.5);
  k = int(n);
  vec2 r = rv_two_sum32(a.x - n * 0.69314575, -(n * 1.4286068e-06));
  r = rv_two_sum32(r.x, r.y + (a.y - n * 5.497923e-14));
  float p = 0.16666648 + r.x * (0.04166648 + r.x * (0.008337844 + r.x * (0.0013933433
      + r.x * 0.00017357412)));
  vec2 s = rv_two_sum32(1.0, r.x);
  return rv_two_sum32(s.x, s.y + (r.x * r.x * (0.5 + r.x * p) + r.y * (1.0 + r.x)));
}

//! rv_log_sum32 needs rv_two_sum32
// log(1 + f) + e ln 2 for a pair f in [sqrt(1/2) - 1, sqrt(2) - 1]: f - f^2/2 + f^3 P(f), and ln 2
// in two parts of which the first is short enough for an exact product.
float rv_log_sum32(vec2 f, int e) {
  float k = float(e);
  float square = f.x * f.x;
  float p = 0.33333313 + f.x * (-0.2500001 + f.x * (0.20002119 + f.x * (-0.16667996
      + f.x * (0.14219552 + f.x * (-0.12405587 + f.x * (0.11888168 + f.x * (-0.11675669
      + f.x * 0.06746648)))))));
  vec2 s = rv_two_sum32(k * 0.69314575, f.x);
  float low = f.y * (1.0 - f.x * (1.0 - f.x));
  return s.x + (s.y + (k * 1.4286068e-06 + (low + (square * f.x * p - 0.5 * square))));
}

//! rv_log1p_pair32 needs rv_two_sum32, rv_binade32, rv_scale32, rv_log_sum32
// log(1 + w) of a finite pair that is not negative.
float rv_log1p_pair32(vec2 w) {
  vec2 a = rv_two_sum32(1.0, w.x);
  a.y += w.y;
  int e;
  float m = rv_binade32(a.x, e);
  vec2 f = w;
  if (e != 0) {
    f = vec2(m - 1.0, rv_scale32(a.y, -e));
  }
  return rv_log_sum32(f, e);
}

//! rv_exp32 needs rv_isnan32, rv_exp_pair32, rv_scale32
// exp: see rv_exp_pair32. Error: 0.8 ULP.
float rv_exp32(float x) {
  if (rv_isnan32(x)) {
    return x;
  }
  int k;
  vec2 p = rv_exp_pair32(vec2(clamp(x, -106.0, 90.0), 0.0), k);
  return rv_scale32(p.x + p.y, k);
}

//! rv_log32 needs rv_isnan32, rv_iszero32, rv_isnegative32, rv_isinf32, rv_binade32, rv_log_sum32
// log: x = 2^e (1 + f), see rv_log_sum32. Error: 0.9 ULP.
float rv_log32(float x) {
  if (rv_isnan32(x)) {
    return x;
  }
  if (rv_iszero32(x)) {
    return -uintBitsToFloat(0x7F800000u);
  }
  if (rv_isnegative32(x)) {
    return uintBitsToFloat(0x7FC00000u);
  }
  if (rv_isinf32(x)) {
    return x;
  }
  int e;
  float m = rv_binade32(x, e);
  return rv_log_sum32(vec2(m - 1.0, 0.0), e);
}

//! rv_power32 needs rv_binade32, rv_quotient32, rv_two_sum32, rv_two_product32, rv_exp_pair32, rv_scale32
// x to the power of y for x finite and > 0, y finite: exp(y log x). The logarithm is a pair: x =
// 2^e m, and with s = (m - 1) / (m + 1) it is 2 s + s^3 (2/3 + s^2 P(s^2)), |s| <= 0.1716, where
// only the innermost product is of single numbers.
float rv_power32(float x, float y) {
  int e;
  float m = rv_binade32(x, e);
  vec2 s = rv_quotient32(vec2(m - 1.0, 0.0), rv_two_sum32(m, 1.0));
  vec2 u = rv_two_product32(s.x, s.x);
  u.y += 2.0 * s.x * s.y;
  float p = 0.39999998 + u.x * (0.28571874 + u.x * (0.22185013 + u.x * 0.19467859));
  vec2 c = rv_two_sum32(0.6666667, u.x * p);
  c.y += -1.9868216e-08;
  vec2 v = rv_two_product32(u.x, c.x);
  v.y += u.x * c.y + u.y * c.x;
  vec2 w = rv_two_product32(s.x, v.x);
  w.y += s.x * v.y + s.y * v.x;
  vec2 l = rv_two_sum32(2.0 * s.x, w.x);
  l.y += 2.0 * s.y + w.y;
  float k = float(e);
  vec2 t = rv_two_sum32(k * 0.69314575, l.x);
  t = rv_two_sum32(t.x, t.y + (l.y + k * 1.4286068e-06));
  vec2 a = rv_two_product32(y, t.x);
  a.y += y * t.y;
  float bounded = clamp(a.x, -106.0, 90.0);
  if (bounded != a.x) {
    a = vec2(bounded, 0.0);
  }
  int n;
  vec2 r = rv_exp_pair32(a, n);
  return rv_scale32(r.x + r.y, n);
}

//! rv_pow32 needs rv_isnan32, rv_isinf32, rv_isnegative32, rv_iszero32, rv_power32
// pow, as C has it: 1 for x = 1 and for y = 0 whatever the other is. Error: 0.8 ULP.
float rv_pow32(float x, float y) {
  if (y == 0.0 || x == 1.0) {
    return 1.0;
  }
  if (rv_isnan32(x) || rv_isnan32(y)) {
    return uintBitsToFloat(0x7FC00000u);
  }
  float size = abs(y);
  bool whole = rv_isinf32(y) || floor(size) == size;
  // From here on all are even.
  bool odd = size < 1.6777216e+07 && whole && 2.0 * floor(0.5 * size) != size;
  bool negative = rv_isnegative32(x);
  float base = abs(x);
  float r;
  if (rv_isinf32(y)) {
    r = base == 1.0 ? 1.0 : ((base > 1.0) == (y > 0.0) ? uintBitsToFloat(0x7F800000u) : 0.0);
  } else if (rv_iszero32(x)) {
    r = y > 0.0 ? 0.0 : uintBitsToFloat(0x7F800000u);
  } else if (rv_isinf32(x)) {
    r = y > 0.0 ? uintBitsToFloat(0x7F800000u) : 0.0;
  } else if (negative && !whole) {
    r = uintBitsToFloat(0x7FC00000u);
  } else {
    // Larger powers overflow all the same, but their products with a pair would not be finite.
    r = rv_power32(base, clamp(y, -4.2949673e+09, 4.2949673e+09));
  }
  return negative && odd ? -r : r;
}

//! rv_far_quadrant32 needs rv_two_product32
// As rv_quadrant32 for large x (Payne and Hanek's reduction). x = m 2^e with m of 24 bits. Digits
// of 2/pi that give multiples of 4 are left out; m times the next 96 bits, modulo 2^96, has n
// modulo 4 in its two leading bits, and behind them the fraction to more bits than any x takes from
// it.
vec2 rv_far_quadrant32(float x, out int quadrant) {
  // 2/pi by 32 bits, behind 32 bits of zeros.
  const uint digits[8] = uint[8](
      0x00000000u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u, 0xDB629599u,
      0x3C439041u, 0xFE5163ABu);
  int bits = floatBitsToInt(x);
  uint m = uint((bits & 0x007FFFFF) | 0x00800000);
  // 2^e with e = exponent - 150: the first digit needed is number e - 1, at bit e + 30.
  int place = (bits >> 23) - 120;
  int word = place >> 5;
  int left = place & 31;
  uint w0 = digits[word];
  uint w1 = digits[word + 1];
  uint w2 = digits[word + 2];
  if (left != 0) {
    uint w3 = digits[word + 3];
    int right = 32 - left;
    w0 = (w0 << left) | (w1 >> right);
    w1 = (w1 << left) | (w2 >> right);
    w2 = (w2 << left) | (w3 >> right);
  }
  uint high1;
  uint low1;
  uint high2;
  uint low2;
  umulExtended(m, w1, high1, low1);
  umulExtended(m, w2, high2, low2);
  uint middle = low1 + high2;
  uint top = m * w0 + high1 + (middle < low1 ? 1u : 0u);
  // To the nearest n: the fraction of 62 bits gets a sign.
  quadrant = int((top + 0x20000000u) >> 30) & 3;
  uint high = top << 2 | middle >> 30;
  uint low = middle << 2 | low2 >> 30;
  bool negative = (high & 0x80000000u) != 0u;
  if (negative) {
    high = ~high;
    low = ~low;
  }
  // No float32 is that near to a multiple of pi/2, but shifts must be below 32.
  high = max(high, 1u);
  int shift = 31 - findMSB(int(high));
  if (shift > 0) {
    high = high << shift | low >> (32 - shift);
    low <<= shift;
  }
  // The leading 24 bits, and 24 more, times 2^(-32 - shift) each.
  float unit = intBitsToFloat((127 - 32 - shift) << 23);
  float a = float(high >> 8) * 256.0 * unit;
  float b = float((high & 0xFFu) << 16 | low >> 16) * 0.0000152587890625 * unit;
  vec2 p = rv_two_product32(a, 1.5707964);
  p.y += a * -4.371139e-08 + b * 1.5707964;
  vec2 r = vec2(p.x + p.y, p.y - ((p.x + p.y) - p.x));
  return negative ? vec2(-r.x, -r.y) : r;
}

//! rv_quadrant32 needs rv_far_quadrant32, rv_two_sum32
// x - n pi/2 as a pair, in [-pi/4, pi/4] or hardly more, for a finite x that is not negative; n
// modulo 4. Up to 512.0 n is short enough for exact products with the leading three of four parts
// of pi/2 (Cody and Waite's reduction).
vec2 rv_quadrant32(float x, out int quadrant) {
  if (x >= 512.0) {
    return rv_far_quadrant32(x, quadrant);
  }
  float n = floor(x * 0.63661975 + 0.5);
  quadrant = int(n) & 3;
  vec2 r = rv_two_sum32(x - n * 1.5708008, -(n * -4.454516e-06));
  vec2 s = rv_two_sum32(r.x, -(n * 6.077272e-11));
  return rv_two_sum32(s.x, (s.y + r.y) - n * -1.7151245e-15);
}

//! rv_sin_pair32 needs rv_two_sum32
// sin of a pair in [-pi/4, pi/4] as a pair: r + r^3 P(r^2).
vec2 rv_sin_pair32(vec2 r) {
  float z = r.x * r.x;
  float p = -0.16666667 + z * (0.008333329 + z * (-0.00019839311 + z * 2.718118e-06));
  return rv_two_sum32(r.x, r.x * z * p + r.y * (1.0 - 0.5 * z));
}

//! rv_cos_pair32 needs rv_two_sum32
// cos of a pair in [-pi/4, pi/4] as a pair: 1 - r^2/2 + r^4 P(r^2).
vec2 rv_cos_pair32(vec2 r) {
  float z = r.x * r.x;
  float p = 0.041666646 + z * (-0.0013887368 + z * 2.4438415e-05);
  float h = 0.5 * z;
  float c = 1.0 - h;
  return rv_two_sum32(c, ((1.0 - c) - h) + (z * z * p - r.x * r.y));
}

//! rv_sin32 needs rv_isnan32, rv_isinf32, rv_quadrant32, rv_sin_pair32, rv_cos_pair32
// sin: of the rest of x modulo pi/2, see rv_quadrant32. Error: 0.9 ULP.
float rv_sin32(float x) {
  if (abs(x) < 0.00024414062 || rv_isnan32(x)) {
    return x;
  }
  if (rv_isinf32(x)) {
    return uintBitsToFloat(0x7FC00000u);
  }
  int quadrant;
  vec2 r = rv_quadrant32(abs(x), quadrant);
  vec2 s = (quadrant & 1) == 0 ? rv_sin_pair32(r) : rv_cos_pair32(r);
  float value = s.x + s.y;
  return (quadrant >= 2) != (x < 0.0) ? -value : value;
}

//! rv_cos32 needs rv_isnan32, rv_isinf32, rv_quadrant32, rv_cos_pair32, rv_sin_pair32
// cos: of the rest of x modulo pi/2, see rv_quadrant32. Error: 0.9 ULP.
float rv_cos32(float x) {
  if (rv_isnan32(x)) {
    return x;
  }
  if (rv_isinf32(x)) {
    return uintBitsToFloat(0x7FC00000u);
  }
  int quadrant;
  vec2 r = rv_quadrant32(abs(x), quadrant);
  vec2 c = (quadrant & 1) == 0 ? rv_cos_pair32(r) : rv_sin_pair32(r);
  float value = c.x + c.y;
  return quadrant == 1 || quadrant == 2 ? -value : value;
}

//! rv_tan32 needs rv_isnan32, rv_isinf32, rv_quadrant32, rv_sin_pair32, rv_cos_pair32, rv_quotient32
// tan: the quotient of sin and cos, see rv_quadrant32. Error: 1.1 ULP.
float rv_tan32(float x) {
  if (abs(x) < 0.00012207031 || rv_isnan32(x)) {
    return x;
  }
  if (rv_isinf32(x)) {
    return uintBitsToFloat(0x7FC00000u);
  }
  int quadrant;
  vec2 r = rv_quadrant32(abs(x), quadrant);
  vec2 s = rv_sin_pair32(r);
  vec2 c = rv_cos_pair32(r);
  bool inverse = (quadrant & 1) != 0;
  vec2 t = inverse ? rv_quotient32(c, s) : rv_quotient32(s, c);
  float value = t.x + t.y;
  return inverse != (x < 0.0) ? -value : value;
}

//! rv_angle32 needs rv_two_sum32, rv_quotient32
// atan(y / x) as a pair, for finite y and x that are not negative and not both 0. Where y / x is
// not below tan(pi/8), pi/4 or pi/2 is taken off: t is (y - x) / (y + x) or -x / y, in [-0.4143,
// 0.4143], and atan(t) = t + t^3 P(t^2). A tiny y / x is the angle itself.
vec2 rv_angle32(float y, float x) {
  float larger = max(y, x);
  float scale = larger > 1.1529215e+18 ? 1.0842022e-19 : (larger < 8.6736174e-19 ? 9.223372e+18
      : 1.0);
  if (y < x * 9.094947e-13) {
    float by = min(scale, 1.0);
    return vec2(y / (x * by) * by, 0.0);
  }
  float a = y * scale;
  float b = x * scale;
  vec2 over = vec2(a, 0.0);
  vec2 under = vec2(b, 0.0);
  vec2 base = vec2(0.0, 0.0);
  if (a > 2.4142137 * b) {
    over = vec2(-b, 0.0);
    under = vec2(a, 0.0);
    base = vec2(1.5707964, -4.371139e-08);
  } else if (a > 0.41421357 * b) {
    over = rv_two_sum32(a, -b);
    under = rv_two_sum32(a, b);
    base = vec2(0.7853982, -2.1855694e-08);
  }
  if (under.x == 0.0) {
    // Both were subnormal, and the device takes these as 0.
    under.x = 1.0;
  }
  vec2 t = rv_quotient32(over, under);
  float z = t.x * t.x;
  float p = -0.33333316 + z * (0.19998471 + z * (-0.14243522 + z * (0.10593729 + z * -0.06077995)));
  vec2 s = rv_two_sum32(base.x, t.x);
  return rv_two_sum32(s.x, s.y + (base.y + (t.y * (1.0 - z) + t.x * z * p)));
}

//! rv_atan32 needs rv_isnan32, rv_isinf32, rv_angle32, rv_signed32
// atan: see rv_angle32. Error: 0.7 ULP.
float rv_atan32(float x) {
  if (abs(x) < 0.00012207031 || rv_isnan32(x)) {
    return x;
  }
  vec2 r = rv_isinf32(x) ? vec2(1.5707964, 0.0) : rv_angle32(abs(x), 1.0);
  return rv_signed32(r.x, x);
}

//! rv_atan232 needs rv_isnan32, rv_isinf32, rv_iszero32, rv_angle32, rv_isnegative32, rv_two_sum32, rv_signed32
// atan2: see rv_angle32; infinities count as 1 beside 0, or beside 1. Error: 0.8 ULP.
float rv_atan232(float y, float x) {
  if (rv_isnan32(y) || rv_isnan32(x)) {
    return uintBitsToFloat(0x7FC00000u);
  }
  float a = abs(y);
  float b = abs(x);
  if (rv_isinf32(a) || rv_isinf32(b)) {
    a = rv_isinf32(a) ? 1.0 : 0.0;
    b = rv_isinf32(b) ? 1.0 : 0.0;
  } else if (rv_iszero32(a)) {
    b = 1.0;
  }
  vec2 r = rv_angle32(a, b);
  if (rv_isnegative32(x)) {
    vec2 s = rv_two_sum32(3.1415927, -r.x);
    r.x = s.x + (s.y + (-8.742278e-08 - r.y));
  }
  return rv_signed32(r.x, y);
}

//! rv_arc32
// (asin(x) - x) / x of the square z of x, up to 1/4: z P(z).
float rv_arc32(float z) {
  float p = 0.1666666 + z * (0.07500504 + z * (0.044516955 + z * (0.031807717 + z * (0.014438592
      + z * 0.037516482))));
  return z * p;
}

//! rv_asin32 needs rv_isnan32, rv_arc32, rv_root32, rv_two_sum32, rv_signed32
// asin: x + x^3 P(x^2) up to 1/2, else pi/2 - 2 asin(sqrt((1 - x) / 2)). Error: 0.7 ULP.
float rv_asin32(float x) {
  float t = abs(x);
  if (t < 0.00012207031 || rv_isnan32(x)) {
    return x;
  }
  if (t > 1.0) {
    return uintBitsToFloat(0x7FC00000u);
  }
  if (t <= 0.5) {
    return x + x * rv_arc32(x * x);
  }
  float z = 0.5 * (1.0 - t);
  vec2 s = rv_root32(vec2(z, 0.0));
  vec2 d = rv_two_sum32(1.5707964, -2.0 * s.x);
  float low = d.y + (-4.371139e-08 - 2.0 * (s.y + s.x * rv_arc32(z)));
  return rv_signed32(d.x + low, x);
}

//! rv_acos32 needs rv_isnan32, rv_two_sum32, rv_arc32, rv_root32
// acos: pi/2 - asin(x) up to 1/2, else 2 asin(sqrt((1 - x) / 2)) or what it lacks to pi. Error: 0.7
// ULP.
float rv_acos32(float x) {
  float t = abs(x);
  if (rv_isnan32(x)) {
    return x;
  }
  if (t > 1.0) {
    return uintBitsToFloat(0x7FC00000u);
  }
  if (t <= 0.5) {
    vec2 d = rv_two_sum32(1.5707964, -x);
    return d.x + (d.y + (-4.371139e-08 - x * rv_arc32(x * x)));
  }
  float z = 0.5 * (1.0 - t);
  vec2 s = rv_root32(vec2(z, 0.0));
  float low = s.y + s.x * rv_arc32(z);
  if (x > 0.0) {
    return 2.0 * (s.x + low);
  }
  vec2 d = rv_two_sum32(3.1415927, -2.0 * s.x);
  return d.x + (d.y + (-8.742278e-08 - 2.0 * low));
}

//! rv_sinh32 needs rv_isnan32, rv_exp_pair32, rv_quotient32, rv_two_sum32, rv_scale32, rv_signed32
// sinh: x + x^3 P(x^2) below 1, else (e^x - e^-x) / 2. Error: 0.9 ULP.
float rv_sinh32(float x) {
  float t = abs(x);
  if (t < 0.00012207031 || rv_isnan32(x)) {
    return x;
  }
  if (t < 1.0) {
    float z = x * x;
    float p = 0.16666667 + z * (0.00833335 + z * (0.0001983616 + z * 2.8169513e-06));
    return x + x * z * p;
  }
  int k;
  vec2 a = rv_exp_pair32(vec2(min(t, 91.0), 0.0), k);
  vec2 b = rv_quotient32(vec2(1.0, 0.0), a);
  int down = max(-2 * k, -100);
  vec2 d = rv_two_sum32(a.x, -rv_scale32(b.x, down));
  float value = d.x + (d.y + (a.y - rv_scale32(b.y, down)));
  return rv_signed32(rv_scale32(value, k - 1), x);
}

//! rv_cosh32 needs rv_isnan32, rv_exp_pair32, rv_quotient32, rv_two_sum32, rv_scale32
// cosh: (e^x + e^-x) / 2. Error: 0.7 ULP.
float rv_cosh32(float x) {
  if (rv_isnan32(x)) {
    return x;
  }
  int k;
  vec2 a = rv_exp_pair32(vec2(min(abs(x), 91.0), 0.0), k);
  vec2 b = rv_quotient32(vec2(1.0, 0.0), a);
  int down = max(-2 * k, -100);
  vec2 d = rv_two_sum32(a.x, rv_scale32(b.x, down));
  return rv_scale32(d.x + (d.y + (a.y + rv_scale32(b.y, down))), k - 1);
}

//! rv_tanh32 needs rv_isnan32, rv_exp_pair32, rv_two_sum32, rv_scale32, rv_quotient32, rv_signed32
// tanh: x + x^3 P(x^2) up to 0.55, else 1 - 2 / (e^2x + 1). Error: 0.8 ULP.
float rv_tanh32(float x) {
  float t = abs(x);
  if (t < 0.00012207031 || rv_isnan32(x)) {
    return x;
  }
  if (t <= 0.55) {
    float z = x * x;
    float p = -0.33333316 + z * (0.13332585 + z * (-0.053852208 + z * (0.021071222
        + z * -0.0062735523)));
    return x + x * z * p;
  }
  int k;
  vec2 a = rv_exp_pair32(vec2(2.0 * min(t, 10.0), 0.0), k);
  vec2 b = rv_two_sum32(rv_scale32(a.x, k), 1.0);
  b.y += rv_scale32(a.y, k);
  vec2 q = rv_quotient32(vec2(2.0, 0.0), b);
  vec2 d = rv_two_sum32(1.0, -q.x);
  return rv_signed32(d.x + (d.y - q.y), x);
}

//! rv_sigmoid32 needs rv_isnan32, rv_exp_pair32, rv_two_sum32, rv_scale32, rv_quotient32
// 1 / (1 + e^-x), for x < 0 as e^x / (1 + e^x). Error: 0.8 ULP.
float rv_sigmoid32(float x) {
  if (rv_isnan32(x)) {
    return x;
  }
  int k;
  vec2 a = rv_exp_pair32(vec2(-min(abs(x), 106.0), 0.0), k);
  vec2 b = rv_two_sum32(1.0, rv_scale32(a.x, k));
  b.y += rv_scale32(a.y, k);
  bool left = x < 0.0;
  vec2 q = rv_quotient32(left ? a : vec2(1.0, 0.0), b);
  return rv_scale32(q.x + q.y, left ? k : 0);
}

//! rv_asinh32 needs rv_isnan32, rv_isinf32, rv_binade32, rv_log_sum32, rv_two_product32, rv_two_sum32, rv_root32, rv_quotient32, rv_log1p_pair32, rv_signed32
// asinh: log(1 + x + x^2 / (1 + sqrt(1 + x^2))) in pairs; log(2 x) for large x. Error: 0.9 ULP.
float rv_asinh32(float x) {
  float t = abs(x);
  if (t < 0.00012207031 || rv_isnan32(x) || rv_isinf32(x)) {
    return x;
  }
  float value;
  if (t > 4096.0) {
    int e;
    float m = rv_binade32(t, e);
    value = rv_log_sum32(vec2(m - 1.0, 0.0), e + 1);
  } else {
    vec2 p = rv_two_product32(t, t);
    vec2 a = rv_two_sum32(1.0, p.x);
    a.y += p.y;
    vec2 s = rv_root32(a);
    vec2 b = rv_two_sum32(1.0, s.x);
    b.y += s.y;
    vec2 q = rv_quotient32(p, b);
    vec2 w = rv_two_sum32(t, q.x);
    w.y += q.y;
    value = rv_log1p_pair32(w);
  }
  return rv_signed32(value, x);
}

//! rv_acosh32 needs rv_isnan32, rv_isinf32, rv_binade32, rv_log_sum32, rv_two_sum32, rv_two_product32, rv_root32, rv_log1p_pair32
// acosh: with d = x - 1, log(1 + d + sqrt(d (d + 2))) in pairs; log(2 x) for large x. Error: 0.9
// ULP.
float rv_acosh32(float x) {
  if (rv_isnan32(x)) {
    return x;
  }
  if (x < 1.0) {
    return uintBitsToFloat(0x7FC00000u);
  }
  if (rv_isinf32(x)) {
    return x;
  }
  if (x > 4096.0) {
    int e;
    float m = rv_binade32(x, e);
    return rv_log_sum32(vec2(m - 1.0, 0.0), e + 1);
  }
  vec2 d = rv_two_sum32(x, -1.0);
  vec2 b = rv_two_sum32(x, 1.0);
  vec2 p = rv_two_product32(d.x, b.x);
  p.y += d.x * b.y + d.y * b.x;
  vec2 s = rv_root32(p);
  vec2 w = rv_two_sum32(d.x, s.x);
  w.y += s.y + d.y;
  return rv_log1p_pair32(w);
}

//! rv_atanh32 needs rv_isnan32, rv_signed32, rv_quotient32, rv_two_sum32, rv_log1p_pair32
// atanh: log(1 + 2 x / (1 - x)) / 2 in pairs. Error: 0.9 ULP.
float rv_atanh32(float x) {
  float t = abs(x);
  if (t < 0.00012207031 || rv_isnan32(x)) {
    return x;
  }
  if (t > 1.0) {
    return uintBitsToFloat(0x7FC00000u);
  }
  if (t == 1.0) {
    return rv_signed32(uintBitsToFloat(0x7F800000u), x);
  }
  vec2 w = rv_quotient32(vec2(2.0 * t, 0.0), rv_two_sum32(1.0, -t));
  return rv_signed32(0.5 * rv_log1p_pair32(w), x);
}

//! rv_erf32 needs rv_isnan32, rv_signed32, rv_exp32
// erf: x + x P(x^2) below 1, further out 1 - exp(-q) with polynomials for q = -log(erfc(x)), and 1
// from 4.0 on. Error: 1.4 ULP.
float rv_erf32(float x) {
  if (rv_isnan32(x)) {
    return x;
  }
  float t = abs(x);
  if (t < 8.6736174e-19) {
    // A product that may be subnormal is not added: devices may take it as 0.
    return x * 1.1283792;
  }
  if (t < 1.0) {
    float z = x * x;
    float p = 0.12837917 + z * (-0.37612626 + z * (0.112835854 + z * (-0.026853811
        + z * (0.0051883277 + z * (-0.00080101925 + z * 7.853857e-05)))));
    return x + x * p;
  }
  if (t >= 4.0) {
    return rv_signed32(1.0, x);
  }
  float q;
  if (t < 2.0) {
    float u = t - 1.5;
    q = 3.3844922 + u * (3.5088022 + u * (0.89264256 + u * (0.02579651 + u * (-0.0060640885
        + u * 0.0013639866))));
  } else {
    float u = t - 3.0;
    q = 10.720362 + u * (6.30363 + u * (0.9567136 + u * (0.0060690963 + u * -0.0024352)));
  }
  return rv_signed32(1.0 - rv_exp32(-q), x);
}

//! rv_rsqrt32 needs rv_isnan32, rv_iszero32, rv_signed32, rv_isnegative32, rv_isinf32, rv_root32, rv_quotient32
// 1 / sqrt(x), each with the rest that rounding left; -infinity for -0. Error: 0.5 ULP.
float rv_rsqrt32(float x) {
  if (rv_isnan32(x)) {
    return x;
  }
  if (rv_iszero32(x)) {
    return rv_signed32(uintBitsToFloat(0x7F800000u), x);
  }
  if (rv_isnegative32(x)) {
    return uintBitsToFloat(0x7FC00000u);
  }
  if (rv_isinf32(x)) {
    return 0.0;
  }
  // Scaled where a part of s * s would be subnormal or infinite.
  float scale = x < 8.271806e-25 ? 2.8147498e+14 : (x > 1.2089258e+24 ? 3.5527137e-15 : 1.0);
  float back = x < 8.271806e-25 ? 1.6777216e+07 : (x > 1.2089258e+24 ? 5.9604645e-08 : 1.0);
  vec2 s = rv_root32(vec2(x * scale, 0.0));
  if (s.x == 0.0) {
    // Subnormal, and the device takes it as 0.
    return uintBitsToFloat(0x7F800000u);
  }
  vec2 q = rv_quotient32(vec2(1.0, 0.0), s);
  return (q.x + q.y) * back;
}

//! rv_rint32 needs rv_signed32
// To the nearest integer, ties to even; what becomes 0 keeps its sign. Exact.
float rv_rint32(float x) {
  return rv_signed32(roundEven(x), x);
}

//! rv_floor32 needs rv_signed32
// floor; -0 keeps its sign. Exact.
float rv_floor32(float x) {
  return rv_signed32(floor(x), x);
}

//! rv_ceil32 needs rv_signed32
// ceil; what becomes 0 keeps its sign. Exact.
float rv_ceil32(float x) {
  return rv_signed32(ceil(x), x);
}

//! rv_trunc32 needs rv_signed32
// trunc; what becomes 0 keeps its sign. Exact.
float rv_trunc32(float x) {
  return rv_signed32(trunc(x), x);
}

//! rv_fmod32 needs rv_isnan32, rv_isinf32, rv_iszero32, rv_signed32
// The rest of x / y towards 0, by long division of integers, 8 bits a step: exact, also for
// subnormal numbers.
float rv_fmod32(float x, float y) {
  if (rv_isnan32(x) || rv_isnan32(y) || rv_isinf32(x) || rv_iszero32(y)) {
    return uintBitsToFloat(0x7FC00000u);
  }
  uint a = floatBitsToUint(x) & 0x7FFFFFFFu;
  uint b = floatBitsToUint(y) & 0x7FFFFFFFu;
  if (a < b) {
    return x;
  }
  int ea = max(int(a >> 23), 1);
  int eb = max(int(b >> 23), 1);
  uint r = (a & 0x007FFFFFu) | (a >= 0x00800000u ? 0x00800000u : 0u);
  uint m = (b & 0x007FFFFFu) | (b >= 0x00800000u ? 0x00800000u : 0u);
  r %= m;
  int steps = ea - eb;
  for (int i = 0; i < 32; ++i) {
    if (steps <= 0) {
      break;
    }
    int bits = min(steps, 8);
    r = (r << bits) % m;
    steps -= bits;
  }
  if (r == 0u) {
    return rv_signed32(0.0, x);
  }
  // r 2^(eb - 150): made normal as far as the exponent allows.
  int up = min(23 - findMSB(int(r)), eb - 1);
  r <<= up;
  uint exponent = (r & 0x00800000u) != 0u ? uint(eb - up) : 0u;
  return rv_signed32(uintBitsToFloat(exponent << 23 | (r & 0x007FFFFFu)), x);
}
