// Functions of double in GLSL: the ones built in may be far off, or do not exist. They use +, -, *,
// /, sqrt, floor and the bits of numbers only, so that devices hardly differ. No product may be
// contracted with a sum: pairs of numbers, whose sum stands for more digits than one has, are exact
// through that. Polynomials are minimax, by Remez's exchange, on the ranges named. Errors are in
// units in the last place (ULP), the largest found in dense samples, where division and sqrt are
// rounded correctly. Special values are those of C. A line that starts with //! names the function
// that follows, and the functions that it calls.

//! rv_isnan64
// From the bits: compilers take isnan as false where they count on there being none.
bool rv_isnan64(double x) {
  uvec2 bits = unpackDouble2x32(x);
  uint high = bits.y & 0x7FFFFFFFu;
  return high > 0x7FF00000u || (high == 0x7FF00000u && bits.x != 0u);
}

//! rv_isinf64
// From the bits, as rv_isnan64.
bool rv_isinf64(double x) {
  uvec2 bits = unpackDouble2x32(x);
  return (bits.y & 0x7FFFFFFFu) == 0x7FF00000u && bits.x == 0u;
}

//! rv_isfinite64
// Neither infinite nor NaN, from the bits.
bool rv_isfinite64(double x) {
  return (unpackDouble2x32(x).y & 0x7FFFFFFFu) < 0x7FF00000u;
}

//! rv_iszero64
// From the bits: devices may take subnormal numbers as 0.
bool rv_iszero64(double x) {
  uvec2 bits = unpackDouble2x32(x);
  return ((bits.y & 0x7FFFFFFFu) | bits.x) == 0u;
}

//! rv_isnegative64
// Whether the sign is set, also that of 0.
bool rv_isnegative64(double x) {
  return (unpackDouble2x32(x).y & 0x80000000u) != 0u;
}

//! rv_signed64
// The size of the first with the sign of the second.
double rv_signed64(double size, double sign) {
  uvec2 bits = unpackDouble2x32(size);
  bits.y = (bits.y & 0x7FFFFFFFu) | (unpackDouble2x32(sign).y & 0x80000000u);
  return packDouble2x32(bits);
}

//! rv_trim64
// The leading 26 of 53 bits; the rest has 27, so that products of halves are exact but for one bit
// at 2^-106.
double rv_trim64(double x) {
  uvec2 bits = unpackDouble2x32(x);
  return packDouble2x32(uvec2(bits.x & 0xF8000000u, bits.y));
}

//! rv_scale64
// x 2^k for k in [-2040, 2040], in two steps: 2^k alone may not be a normal number.
double rv_scale64(double x, int k) {
  int half_k = k >> 1;
  double a = packDouble2x32(uvec2(0u, uint(half_k + 1023) << 20));
  double b = packDouble2x32(uvec2(0u, uint(k - half_k + 1023) << 20));
  return x * a * b;
}

//! rv_binade64
// m in [sqrt(1/2), sqrt(2)) with x = m 2^e, for x finite and > 0.
double rv_binade64(double x, out int e) {
  uvec2 bits = unpackDouble2x32(x);
  int up = 0;
  if (bits.y < 0x00100000u) {
    // Subnormal: x 2^54 is not.
    bits = unpackDouble2x32(x * 18014398509481984.0lf);
    up = 54;
  }
  int k = (int(bits.y) - 0x3FE6A09E) >> 20;
  e = k - up;
  return packDouble2x32(uvec2(bits.x, uint(int(bits.y) - (k << 20))));
}

//! rv_two_sum64
// a + b exactly, as the rounded sum and what it lost (Knuth's two-sum).
dvec2 rv_two_sum64(double a, double b) {
  double s = a + b;
  double v = s - a;
  return dvec2(s, (a - (s - v)) + (b - v));
}

//! rv_two_product64 needs rv_trim64
// a * b as the rounded product and what it lost (Dekker's product of halves).
dvec2 rv_two_product64(double a, double b) {
  double p = a * b;
  double ah = rv_trim64(a);
  double al = a - ah;
  double bh = rv_trim64(b);
  double bl = b - bh;
  return dvec2(p, (((ah * bh - p) + ah * bl) + al * bh) + al * bl);
}

//! rv_quotient64 needs rv_two_product64
// a / b of pairs. The rest of the division is exact, so that an imprecise division does no harm.
dvec2 rv_quotient64(dvec2 a, dvec2 b) {
  double q = a.x / b.x;
  dvec2 p = rv_two_product64(q, b.x);
  double rest = ((a.x - p.x) - p.y) + (a.y - q * b.y);
  return dvec2(q, rest / b.x);
}

//! rv_root64 needs rv_two_product64
// The square root of a pair that is not negative, as a pair.
dvec2 rv_root64(dvec2 a) {
  double s = sqrt(a.x);
  if (s == 0.0lf) {
    return dvec2(0.0lf, 0.0lf);
  }
  dvec2 p = rv_two_product64(s, s);
  return dvec2(s, (((a.x - p.x) - p.y) + a.y) / (2.0lf * s));
}

//! rv_exp_pair64 needs rv_two_sum64
// e to the power of a pair in [-750.0lf, 712.0lf], as a pair times 2^k. a - k ln 2 is in [-0.347,
// 0.347], with ln 2 in three parts of which the first is short enough for an exact product; there 1
// + r + r^2/2 + r^3 P(r). Good for some 5 bits more than one number has.
dvec2 rv_exp_pair64(dvec2 a, out int k) {
  double n = floor(a.x * 1.4426950408889634lf + 0.5lf);
  k = int(n);
  dvec2 r = rv_two_sum64(a.x - n * 0.6931471805601177lf, -(n * -1.7239444525614835e-13lf));
  r = rv_two_sum64(r.x, r.y + (a.y - n * 1.94704509238075e-31lf));
  double p = 0.16666666666666688lf + r.x * (0.041666666666666845lf
      + r.x * (0.00833333333331278lf + r.x * (0.0013888888888755919lf
      + r.x * (0.00019841269906673386lf + r.x * (2.4801587632053184e-05lf
      + r.x * (2.755722484436938e-06lf + r.x * (2.755697741348399e-07lf
      + r.x * (2.5115434280723725e-08lf + r.x * 2.10145249299013e-09lf))))))));
  dvec2 s = rv_two_sum64(1.0lf, r.x);
  return rv_two_sum64(s.x, s.y + (r.x * r.x * (0.5lf + r.x * p) + r.y * (1.0lf + r.x)));
}

//! rv_log_sum64 needs rv_two_sum64
// log(1 + f) + e ln 2 for a pair f in [sqrt(1/2) - 1, sqrt(2) - 1]: f - f^2/2 + f^3 P(f), and ln 2
// in two parts of which the first is short enough for an exact product.
double rv_log_sum64(dvec2 f, int e) {
  double k = double(e);
  double square = f.x * f.x;
  double p = 0.33333333333333454lf + f.x * (-0.2499999999999892lf + f.x * (0.1999999999994615lf
      + f.x * (-0.1666666666691438lf + f.x * (0.14285714293839935lf
      + f.x * (-0.124999999820201lf + f.x * (0.11111110516119442lf
      + f.x * (-0.10000000383242207lf + f.x * (0.09090933503613169lf
      + f.x * (-0.08333345760387233lf + f.x * (0.07691714509959768lf
      + f.x * (-0.07142000075231761lf + f.x * (0.0667514786440049lf
      + f.x * (-0.06269801023258245lf + f.x * (0.058177825890329486lf
      + f.x * (-0.05326779745486937lf + f.x * (0.05415963476807723lf
      + f.x * (-0.06275037325241806lf + f.x * (0.056968678508447314lf
      + f.x * -0.024276194533223616lf))))))))))))))))));
  dvec2 s = rv_two_sum64(k * 0.6931471805598903lf, f.x);
  double low = f.y * (1.0lf - f.x * (1.0lf - f.x));
  return s.x + (s.y + (k * 5.497923018708371e-14lf + (low + (square * f.x * p - 0.5lf * square))));
}

//! rv_log1p_pair64 needs rv_two_sum64, rv_binade64, rv_scale64, rv_log_sum64
// log(1 + w) of a finite pair that is not negative.
double rv_log1p_pair64(dvec2 w) {
  dvec2 a = rv_two_sum64(1.0lf, w.x);
  a.y += w.y;
  int e;
  double m = rv_binade64(a.x, e);
  dvec2 f = w;
  if (e != 0) {
    f = dvec2(m - 1.0lf, rv_scale64(a.y, -e));
  }
  return rv_log_sum64(f, e);
}

//! rv_exp64 needs rv_isnan64, rv_exp_pair64, rv_scale64
// exp: see rv_exp_pair64. Error: 0.8 ULP.
double rv_exp64(double x) {
  if (rv_isnan64(x)) {
    return x;
  }
  int k;
  dvec2 p = rv_exp_pair64(dvec2(clamp(x, -750.0lf, 712.0lf), 0.0lf), k);
  return rv_scale64(p.x + p.y, k);
}

//! rv_log64 needs rv_isnan64, rv_iszero64, rv_isnegative64, rv_isinf64, rv_binade64, rv_log_sum64
// log: x = 2^e (1 + f), see rv_log_sum64. Error: 0.9 ULP.
double rv_log64(double x) {
  if (rv_isnan64(x)) {
    return x;
  }
  if (rv_iszero64(x)) {
    return -packDouble2x32(uvec2(0u, 0x7FF00000u));
  }
  if (rv_isnegative64(x)) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  if (rv_isinf64(x)) {
    return x;
  }
  int e;
  double m = rv_binade64(x, e);
  return rv_log_sum64(dvec2(m - 1.0lf, 0.0lf), e);
}

//! rv_power64 needs rv_binade64, rv_quotient64, rv_two_sum64, rv_two_product64, rv_exp_pair64, rv_scale64
// x to the power of y for x finite and > 0, y finite: exp(y log x). The logarithm is a pair: x =
// 2^e m, and with s = (m - 1) / (m + 1) it is 2 s + s^3 (2/3 + s^2 P(s^2)), |s| <= 0.1716, where
// only the innermost product is of single numbers.
double rv_power64(double x, double y) {
  int e;
  double m = rv_binade64(x, e);
  dvec2 s = rv_quotient64(dvec2(m - 1.0lf, 0.0lf), rv_two_sum64(m, 1.0lf));
  dvec2 u = rv_two_product64(s.x, s.x);
  u.y += 2.0lf * s.x * s.y;
  double p = 0.3999999999999998lf + u.x * (0.285714285714451lf + u.x * (0.22222222217538573lf
      + u.x * (0.1818181887005584lf + u.x * (0.1538455688864152lf + u.x * (0.13336316740943654lf
      + u.x * (0.11674832259653672lf + u.x * 0.11988898691599387lf))))));
  dvec2 c = rv_two_sum64(0.6666666666666666lf, u.x * p);
  c.y += 3.700743415417188e-17lf;
  dvec2 v = rv_two_product64(u.x, c.x);
  v.y += u.x * c.y + u.y * c.x;
  dvec2 w = rv_two_product64(s.x, v.x);
  w.y += s.x * v.y + s.y * v.x;
  dvec2 l = rv_two_sum64(2.0lf * s.x, w.x);
  l.y += 2.0lf * s.y + w.y;
  double k = double(e);
  dvec2 t = rv_two_sum64(k * 0.6931471805598903lf, l.x);
  t = rv_two_sum64(t.x, t.y + (l.y + k * 5.497923018708371e-14lf));
  dvec2 a = rv_two_product64(y, t.x);
  a.y += y * t.y;
  double bounded = clamp(a.x, -750.0lf, 712.0lf);
  if (bounded != a.x) {
    a = dvec2(bounded, 0.0lf);
  }
  int n;
  dvec2 r = rv_exp_pair64(a, n);
  return rv_scale64(r.x + r.y, n);
}

//! rv_pow64 needs rv_isnan64, rv_isinf64, rv_isnegative64, rv_iszero64, rv_power64
// pow, as C has it: 1 for x = 1 and for y = 0 whatever the other is. Error: 0.8 ULP.
double rv_pow64(double x, double y) {
  if (y == 0.0lf || x == 1.0lf) {
    return 1.0lf;
  }
  if (rv_isnan64(x) || rv_isnan64(y)) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  double size = abs(y);
  bool whole = rv_isinf64(y) || floor(size) == size;
  // From here on all are even.
  bool odd = size < 9007199254740992.0lf && whole && 2.0lf * floor(0.5lf * size) != size;
  bool negative = rv_isnegative64(x);
  double base = abs(x);
  double r;
  if (rv_isinf64(y)) {
    r = base == 1.0lf ? 1.0lf
        : ((base > 1.0lf) == (y > 0.0lf) ? packDouble2x32(uvec2(0u, 0x7FF00000u)) : 0.0lf);
  } else if (rv_iszero64(x)) {
    r = y > 0.0lf ? 0.0lf : packDouble2x32(uvec2(0u, 0x7FF00000u));
  } else if (rv_isinf64(x)) {
    r = y > 0.0lf ? packDouble2x32(uvec2(0u, 0x7FF00000u)) : 0.0lf;
  } else if (negative && !whole) {
    r = packDouble2x32(uvec2(0u, 0x7FF80000u));
  } else {
    // Larger powers overflow all the same, but their products with a pair would not be finite.
    r = rv_power64(base, clamp(y, -3.6893488147419103e+19lf, 3.6893488147419103e+19lf));
  }
  return negative && odd ? -r : r;
}

//! rv_far_quadrant64 needs rv_two_sum64, rv_two_product64
// As rv_quadrant64 for large x (Payne and Hanek's reduction). x = m 2^e with m of 53 bits. Digits
// of 2/pi that give multiples of 4 are left out; m times the next 192 bits, modulo 2^192, has n
// modulo 4 in its two leading bits, and behind them the fraction to more bits than any x takes from
// it. Its words of 32 bits are summed in a pair, the least one first.
dvec2 rv_far_quadrant64(double x, out int quadrant) {
  // 2/pi by 32 bits, behind 64 bits of zeros.
  const uint digits[40] = uint[40](
      0x00000000u, 0x00000000u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u,
      0xDB629599u, 0x3C439041u, 0xFE5163ABu, 0xDEBBC561u, 0xB7246E3Au, 0x424DD2E0u,
      0x06492EEAu, 0x09D1921Cu, 0xFE1DEB1Cu, 0xB129A73Eu, 0xE88235F5u, 0x2EBB4484u,
      0xE99C7026u, 0xB45F7E41u, 0x3991D639u, 0x835339F4u, 0x9C845F8Bu, 0xBDF9283Bu,
      0x1FF897FFu, 0xDE05980Fu, 0xEF2F118Bu, 0x5A0A6D1Fu, 0x6D367ECFu, 0x27CB09B7u,
      0x4F463F66u, 0x9E5FEA2Du, 0x7527BAC7u, 0xEBE5F17Bu, 0x3D0739F7u, 0x8A5292EAu,
      0x6BFB5FB1u, 0x1F8D5D08u, 0x56033046u, 0xFC7B6BABu);
  uvec2 bits = unpackDouble2x32(x);
  uint m0 = bits.x;
  uint m1 = (bits.y & 0x000FFFFFu) | 0x00100000u;
  // 2^e with e = exponent - 1075: the first digit needed is number e - 1, at bit e + 62.
  int place = int(bits.y >> 20) - 1013;
  int word = place >> 5;
  int left = place & 31;
  uint carry0 = 0u;
  uint carry1 = 0u;
  uint top = 0u;
  dvec2 sum = dvec2(0.0lf, 0.0lf);
  for (int i = 5; i >= 0; --i) {
    uint w = digits[word + i];
    if (left != 0) {
      w = w << left | digits[word + i + 1] >> (32 - left);
    }
    // carry + m w, of three words.
    uint high0;
    uint low0;
    uint high1;
    uint low1;
    umulExtended(m0, w, high0, low0);
    umulExtended(m1, w, high1, low1);
    uint s0 = low0 + carry0;
    // Neither of these sums overflows twice, and high1 has room for both.
    uint s1 = high0 + low1;
    uint over = s1 < low1 ? 1u : 0u;
    uint t1 = s1 + carry1;
    over += t1 < s1 ? 1u : 0u;
    uint carry = s0 < low0 ? 1u : 0u;
    uint u1 = t1 + carry;
    over += u1 < t1 ? 1u : 0u;
    top = s0;
    carry0 = u1;
    carry1 = high1 + over;
    if (i > 0) {
      dvec2 next = rv_two_sum64(double(s0), sum.x * 2.3283064365386963e-10lf);
      sum = dvec2(next.x, next.y + sum.y * 2.3283064365386963e-10lf);
    }
  }
  // To the nearest n: the fraction, in units of 2^-30, gets a sign.
  uint n = (top + 0x20000000u) >> 30;
  quadrant = int(n) & 3;
  dvec2 f = rv_two_sum64(double(int(top - (n << 30))), sum.x * 2.3283064365386963e-10lf);
  f = rv_two_sum64(f.x, f.y + sum.y * 2.3283064365386963e-10lf);
  f = dvec2(f.x * 9.313225746154785e-10lf, f.y * 9.313225746154785e-10lf);
  dvec2 p = rv_two_product64(f.x, 1.5707963267948966lf);
  return rv_two_sum64(p.x, p.y + (f.x * 6.123233995736766e-17lf + f.y * 1.5707963267948966lf));
}

//! rv_quadrant64 needs rv_far_quadrant64, rv_two_sum64
// x - n pi/2 as a pair, in [-pi/4, pi/4] or hardly more, for a finite x that is not negative; n
// modulo 4. Up to 1048576.0lf n is short enough for exact products with the leading three of four
// parts of pi/2 (Cody and Waite's reduction).
dvec2 rv_quadrant64(double x, out int quadrant) {
  if (x >= 1048576.0lf) {
    return rv_far_quadrant64(x, quadrant);
  }
  double n = floor(x * 0.6366197723675814lf + 0.5lf);
  quadrant = int(n) & 3;
  dvec2 r = rv_two_sum64(x - n * 1.5707963267341256lf, -(n * 6.077100506303966e-11lf));
  dvec2 s = rv_two_sum64(r.x, -(n * 2.0222662487111665e-21lf));
  return rv_two_sum64(s.x, (s.y + r.y) - n * 8.4784276603689e-32lf);
}

//! rv_sin_pair64 needs rv_two_sum64
// sin of a pair in [-pi/4, pi/4] as a pair: r + r^3 P(r^2).
dvec2 rv_sin_pair64(dvec2 r) {
  double z = r.x * r.x;
  double p = -0.1666666666666663lf + z * (0.008333333333322113lf
      + z * (-0.00019841269829585018lf + z * (2.7557313619745058e-06lf
      + z * (-2.505074749582726e-08lf + z * 1.589621413863901e-10lf))));
  return rv_two_sum64(r.x, r.x * z * p + r.y * (1.0lf - 0.5lf * z));
}

//! rv_cos_pair64 needs rv_two_sum64
// cos of a pair in [-pi/4, pi/4] as a pair: 1 - r^2/2 + r^4 P(r^2).
dvec2 rv_cos_pair64(dvec2 r) {
  double z = r.x * r.x;
  double p = 0.0416666666666666lf + z * (-0.0013888888888874131lf
      + z * (2.4801587289487073e-05lf + z * (-2.7557314353806936e-07lf
      + z * (2.0875723481389044e-09lf + z * -1.1359658960080918e-11lf))));
  double h = 0.5lf * z;
  double c = 1.0lf - h;
  return rv_two_sum64(c, ((1.0lf - c) - h) + (z * z * p - r.x * r.y));
}

//! rv_sin64 needs rv_isnan64, rv_isinf64, rv_quadrant64, rv_sin_pair64, rv_cos_pair64
// sin: of the rest of x modulo pi/2, see rv_quadrant64. Error: 0.8 ULP.
double rv_sin64(double x) {
  if (abs(x) < 7.450580596923828e-09lf || rv_isnan64(x)) {
    return x;
  }
  if (rv_isinf64(x)) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  int quadrant;
  dvec2 r = rv_quadrant64(abs(x), quadrant);
  dvec2 s = (quadrant & 1) == 0 ? rv_sin_pair64(r) : rv_cos_pair64(r);
  double value = s.x + s.y;
  return (quadrant >= 2) != (x < 0.0lf) ? -value : value;
}

//! rv_cos64 needs rv_isnan64, rv_isinf64, rv_quadrant64, rv_cos_pair64, rv_sin_pair64
// cos: of the rest of x modulo pi/2, see rv_quadrant64. Error: 0.8 ULP.
double rv_cos64(double x) {
  if (rv_isnan64(x)) {
    return x;
  }
  if (rv_isinf64(x)) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  int quadrant;
  dvec2 r = rv_quadrant64(abs(x), quadrant);
  dvec2 c = (quadrant & 1) == 0 ? rv_cos_pair64(r) : rv_sin_pair64(r);
  double value = c.x + c.y;
  return quadrant == 1 || quadrant == 2 ? -value : value;
}

//! rv_tan64 needs rv_isnan64, rv_isinf64, rv_quadrant64, rv_sin_pair64, rv_cos_pair64, rv_quotient64
// tan: the quotient of sin and cos, see rv_quadrant64. Error: 1.0 ULP.
double rv_tan64(double x) {
  if (abs(x) < 3.725290298461914e-09lf || rv_isnan64(x)) {
    return x;
  }
  if (rv_isinf64(x)) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  int quadrant;
  dvec2 r = rv_quadrant64(abs(x), quadrant);
  dvec2 s = rv_sin_pair64(r);
  dvec2 c = rv_cos_pair64(r);
  bool inverse = (quadrant & 1) != 0;
  dvec2 t = inverse ? rv_quotient64(c, s) : rv_quotient64(s, c);
  double value = t.x + t.y;
  return inverse != (x < 0.0lf) ? -value : value;
}

//! rv_angle64 needs rv_two_sum64, rv_quotient64
// atan(y / x) as a pair, for finite y and x that are not negative and not both 0. Where y / x is
// not below tan(pi/8), pi/4 or pi/2 is taken off: t is (y - x) / (y + x) or -x / y, in [-0.4143,
// 0.4143], and atan(t) = t + t^3 P(t^2). A tiny y / x is the angle itself.
dvec2 rv_angle64(double y, double x) {
  double larger = max(y, x);
  double scale = larger > 3.273390607896142e+150lf ? 2.409919865102884e-181lf
      : (larger < 3.054936363499605e-151lf ? 4.149515568880993e+180lf : 1.0lf);
  if (y < x * 8.271806125530277e-25lf) {
    double by = min(scale, 1.0lf);
    return dvec2(y / (x * by) * by, 0.0lf);
  }
  double a = y * scale;
  double b = x * scale;
  dvec2 over = dvec2(a, 0.0lf);
  dvec2 under = dvec2(b, 0.0lf);
  dvec2 base = dvec2(0.0lf, 0.0lf);
  if (a > 2.414213562373095lf * b) {
    over = dvec2(-b, 0.0lf);
    under = dvec2(a, 0.0lf);
    base = dvec2(1.5707963267948966lf, 6.123233995736766e-17lf);
  } else if (a > 0.41421356237309503lf * b) {
    over = rv_two_sum64(a, -b);
    under = rv_two_sum64(a, b);
    base = dvec2(0.7853981633974483lf, 3.061616997868383e-17lf);
  }
  if (under.x == 0.0lf) {
    // Both were subnormal, and the device takes these as 0.
    under.x = 1.0lf;
  }
  dvec2 t = rv_quotient64(over, under);
  double z = t.x * t.x;
  double p = -0.333333333333332lf + z * (0.19999999999953205lf + z * (-0.14285714280162046lf
      + z * (0.11111110781917559lf + z * (-0.0909089771815263lf + z * (0.07692059587006761lf
      + z * (-0.06663097679304449lf + z * (0.0584784790347077lf + z * (-0.05039138042505397lf
      + z * (0.03806078171775148lf + z * -0.017903524124487136lf)))))))));
  dvec2 s = rv_two_sum64(base.x, t.x);
  return rv_two_sum64(s.x, s.y + (base.y + (t.y * (1.0lf - z) + t.x * z * p)));
}

//! rv_atan64 needs rv_isnan64, rv_isinf64, rv_angle64, rv_signed64
// atan: see rv_angle64. Error: 0.7 ULP.
double rv_atan64(double x) {
  if (abs(x) < 3.725290298461914e-09lf || rv_isnan64(x)) {
    return x;
  }
  dvec2 r = rv_isinf64(x) ? dvec2(1.5707963267948966lf, 0.0lf) : rv_angle64(abs(x), 1.0lf);
  return rv_signed64(r.x, x);
}

//! rv_atan264 needs rv_isnan64, rv_isinf64, rv_iszero64, rv_angle64, rv_isnegative64, rv_two_sum64, rv_signed64
// atan2: see rv_angle64; infinities count as 1 beside 0, or beside 1. Error: 0.8 ULP.
double rv_atan264(double y, double x) {
  if (rv_isnan64(y) || rv_isnan64(x)) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  double a = abs(y);
  double b = abs(x);
  if (rv_isinf64(a) || rv_isinf64(b)) {
    a = rv_isinf64(a) ? 1.0lf : 0.0lf;
    b = rv_isinf64(b) ? 1.0lf : 0.0lf;
  } else if (rv_iszero64(a)) {
    b = 1.0lf;
  }
  dvec2 r = rv_angle64(a, b);
  if (rv_isnegative64(x)) {
    dvec2 s = rv_two_sum64(3.141592653589793lf, -r.x);
    r.x = s.x + (s.y + (1.2246467991473532e-16lf - r.y));
  }
  return rv_signed64(r.x, y);
}

//! rv_arc64
// (asin(x) - x) / x of the square z of x, up to 1/4: z P(z).
double rv_arc64(double z) {
  double p = 0.1666666666666676lf + z * (0.07499999999970797lf + z * (0.04464285717461489lf
      + z * (0.030381942707661456lf + z * (0.022372214990544523lf + z * (0.017351611969873722lf
      + z * (0.013980820989878406lf + z * (0.0113989091364083lf + z * (0.010780267840814902lf
      + z * (0.0037063583337197292lf + z * (0.021707557500402534lf
      + z * (-0.020999204926406695lf + z * 0.032628705781026626lf)))))))))));
  return z * p;
}

//! rv_asin64 needs rv_isnan64, rv_arc64, rv_root64, rv_two_sum64, rv_signed64
// asin: x + x^3 P(x^2) up to 1/2, else pi/2 - 2 asin(sqrt((1 - x) / 2)). Error: 0.7 ULP.
double rv_asin64(double x) {
  double t = abs(x);
  if (t < 3.725290298461914e-09lf || rv_isnan64(x)) {
    return x;
  }
  if (t > 1.0lf) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  if (t <= 0.5lf) {
    return x + x * rv_arc64(x * x);
  }
  double z = 0.5lf * (1.0lf - t);
  dvec2 s = rv_root64(dvec2(z, 0.0lf));
  dvec2 d = rv_two_sum64(1.5707963267948966lf, -2.0lf * s.x);
  double low = d.y + (6.123233995736766e-17lf - 2.0lf * (s.y + s.x * rv_arc64(z)));
  return rv_signed64(d.x + low, x);
}

//! rv_acos64 needs rv_isnan64, rv_two_sum64, rv_arc64, rv_root64
// acos: pi/2 - asin(x) up to 1/2, else 2 asin(sqrt((1 - x) / 2)) or what it lacks to pi. Error: 0.7
// ULP.
double rv_acos64(double x) {
  double t = abs(x);
  if (rv_isnan64(x)) {
    return x;
  }
  if (t > 1.0lf) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  if (t <= 0.5lf) {
    dvec2 d = rv_two_sum64(1.5707963267948966lf, -x);
    return d.x + (d.y + (6.123233995736766e-17lf - x * rv_arc64(x * x)));
  }
  double z = 0.5lf * (1.0lf - t);
  dvec2 s = rv_root64(dvec2(z, 0.0lf));
  double low = s.y + s.x * rv_arc64(z);
  if (x > 0.0lf) {
    return 2.0lf * (s.x + low);
  }
  dvec2 d = rv_two_sum64(3.141592653589793lf, -2.0lf * s.x);
  return d.x + (d.y + (1.2246467991473532e-16lf - 2.0lf * low));
}

//! rv_sinh64 needs rv_isnan64, rv_exp_pair64, rv_quotient64, rv_two_sum64, rv_scale64, rv_signed64
// sinh: x + x^3 P(x^2) below 1, else (e^x - e^-x) / 2. Error: 0.9 ULP.
double rv_sinh64(double x) {
  double t = abs(x);
  if (t < 3.725290298461914e-09lf || rv_isnan64(x)) {
    return x;
  }
  if (t < 1.0lf) {
    double z = x * x;
    double p = 0.16666666666666669lf + z * (0.008333333333333148lf
        + z * (0.00019841269841431875lf + z * (2.7557319157070645e-06lf
        + z * (2.505212313691506e-08lf + z * (1.6057259754185264e-10lf
        + z * 7.758749227817831e-13lf)))));
    return x + x * z * p;
  }
  int k;
  dvec2 a = rv_exp_pair64(dvec2(min(t, 713.0lf), 0.0lf), k);
  dvec2 b = rv_quotient64(dvec2(1.0lf, 0.0lf), a);
  int down = max(-2 * k, -500);
  dvec2 d = rv_two_sum64(a.x, -rv_scale64(b.x, down));
  double value = d.x + (d.y + (a.y - rv_scale64(b.y, down)));
  return rv_signed64(rv_scale64(value, k - 1), x);
}

//! rv_cosh64 needs rv_isnan64, rv_exp_pair64, rv_quotient64, rv_two_sum64, rv_scale64
// cosh: (e^x + e^-x) / 2. Error: 0.7 ULP.
double rv_cosh64(double x) {
  if (rv_isnan64(x)) {
    return x;
  }
  int k;
  dvec2 a = rv_exp_pair64(dvec2(min(abs(x), 713.0lf), 0.0lf), k);
  dvec2 b = rv_quotient64(dvec2(1.0lf, 0.0lf), a);
  int down = max(-2 * k, -500);
  dvec2 d = rv_two_sum64(a.x, rv_scale64(b.x, down));
  return rv_scale64(d.x + (d.y + (a.y + rv_scale64(b.y, down))), k - 1);
}

//! rv_tanh64 needs rv_isnan64, rv_exp_pair64, rv_two_sum64, rv_scale64, rv_quotient64, rv_signed64
// tanh: x + x^3 P(x^2) up to 0.55, else 1 - 2 / (e^2x + 1). Error: 0.8 ULP.
double rv_tanh64(double x) {
  double t = abs(x);
  if (t < 3.725290298461914e-09lf || rv_isnan64(x)) {
    return x;
  }
  if (t <= 0.55lf) {
    double z = x * x;
    double p = -0.333333333333333lf + z * (0.133333333333266lf + z * (-0.0539682539637483lf
        + z * (0.021869488385493074lf + z * (-0.008863232595326445lf
        + z * (0.003592091966931031lf + z * (-0.0014555424256368476lf
        + z * (0.0005884427116821531lf + z * (-0.00023337693330426195lf
        + z * (8.330964147996462e-05lf + z * -1.9490383335706624e-05lf)))))))));
    return x + x * z * p;
  }
  int k;
  dvec2 a = rv_exp_pair64(dvec2(2.0lf * min(t, 22.0lf), 0.0lf), k);
  dvec2 b = rv_two_sum64(rv_scale64(a.x, k), 1.0lf);
  b.y += rv_scale64(a.y, k);
  dvec2 q = rv_quotient64(dvec2(2.0lf, 0.0lf), b);
  dvec2 d = rv_two_sum64(1.0lf, -q.x);
  return rv_signed64(d.x + (d.y - q.y), x);
}

//! rv_sigmoid64 needs rv_isnan64, rv_exp_pair64, rv_two_sum64, rv_scale64, rv_quotient64
// 1 / (1 + e^-x), for x < 0 as e^x / (1 + e^x). Error: 0.8 ULP.
double rv_sigmoid64(double x) {
  if (rv_isnan64(x)) {
    return x;
  }
  int k;
  dvec2 a = rv_exp_pair64(dvec2(-min(abs(x), 750.0lf), 0.0lf), k);
  dvec2 b = rv_two_sum64(1.0lf, rv_scale64(a.x, k));
  b.y += rv_scale64(a.y, k);
  bool left = x < 0.0lf;
  dvec2 q = rv_quotient64(left ? a : dvec2(1.0lf, 0.0lf), b);
  return rv_scale64(q.x + q.y, left ? k : 0);
}

//! rv_asinh64 needs rv_isnan64, rv_isinf64, rv_binade64, rv_log_sum64, rv_two_product64, rv_two_sum64, rv_root64, rv_quotient64, rv_log1p_pair64, rv_signed64
// asinh: log(1 + x + x^2 / (1 + sqrt(1 + x^2))) in pairs; log(2 x) for large x. Error: 0.9 ULP.
double rv_asinh64(double x) {
  double t = abs(x);
  if (t < 3.725290298461914e-09lf || rv_isnan64(x) || rv_isinf64(x)) {
    return x;
  }
  double value;
  if (t > 134217728.0lf) {
    int e;
    double m = rv_binade64(t, e);
    value = rv_log_sum64(dvec2(m - 1.0lf, 0.0lf), e + 1);
  } else {
    dvec2 p = rv_two_product64(t, t);
    dvec2 a = rv_two_sum64(1.0lf, p.x);
    a.y += p.y;
    dvec2 s = rv_root64(a);
    dvec2 b = rv_two_sum64(1.0lf, s.x);
    b.y += s.y;
    dvec2 q = rv_quotient64(p, b);
    dvec2 w = rv_two_sum64(t, q.x);
    w.y += q.y;
    value = rv_log1p_pair64(w);
  }
  return rv_signed64(value, x);
}

//! rv_acosh64 needs rv_isnan64, rv_isinf64, rv_binade64, rv_log_sum64, rv_two_sum64, rv_two_product64, rv_root64, rv_log1p_pair64
// acosh: with d = x - 1, log(1 + d + sqrt(d (d + 2))) in pairs; log(2 x) for large x. Error: 0.9
// ULP.
double rv_acosh64(double x) {
  if (rv_isnan64(x)) {
    return x;
  }
  if (x < 1.0lf) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  if (rv_isinf64(x)) {
    return x;
  }
  if (x > 134217728.0lf) {
    int e;
    double m = rv_binade64(x, e);
    return rv_log_sum64(dvec2(m - 1.0lf, 0.0lf), e + 1);
  }
  dvec2 d = rv_two_sum64(x, -1.0lf);
  dvec2 b = rv_two_sum64(x, 1.0lf);
  dvec2 p = rv_two_product64(d.x, b.x);
  p.y += d.x * b.y + d.y * b.x;
  dvec2 s = rv_root64(p);
  dvec2 w = rv_two_sum64(d.x, s.x);
  w.y += s.y + d.y;
  return rv_log1p_pair64(w);
}

//! rv_atanh64 needs rv_isnan64, rv_signed64, rv_quotient64, rv_two_sum64, rv_log1p_pair64
// atanh: log(1 + 2 x / (1 - x)) / 2 in pairs. Error: 0.9 ULP.
double rv_atanh64(double x) {
  double t = abs(x);
  if (t < 3.725290298461914e-09lf || rv_isnan64(x)) {
    return x;
  }
  if (t > 1.0lf) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  if (t == 1.0lf) {
    return rv_signed64(packDouble2x32(uvec2(0u, 0x7FF00000u)), x);
  }
  dvec2 w = rv_quotient64(dvec2(2.0lf * t, 0.0lf), rv_two_sum64(1.0lf, -t));
  return rv_signed64(0.5lf * rv_log1p_pair64(w), x);
}

//! rv_erf64 needs rv_isnan64, rv_signed64, rv_exp64
// erf: x + x P(x^2) below 1, further out 1 - exp(-q) with polynomials for q = -log(erfc(x)), and 1
// from 6.0lf on. Error: 1.2 ULP.
double rv_erf64(double x) {
  if (rv_isnan64(x)) {
    return x;
  }
  double t = abs(x);
  if (t < 3.054936363499605e-151lf) {
    // A product that may be subnormal is not added: devices may take it as 0.
    return x * 1.1283791670955126lf;
  }
  if (t < 1.0lf) {
    double z = x * x;
    double p = 0.1283791670955126lf + z * (-0.3761263890318375lf + z * (0.11283791670954857lf
        + z * (-0.026866170645072893lf + z * (0.005223977624780858lf
        + z * (-0.000854832697874186lf + z * (0.0001205533103688908lf
        + z * (-1.4925593506658682e-05lf + z * (1.6460972813422394e-06lf
        + z * (-1.6350025184329553e-07lf + z * (1.465787957903483e-08lf
        + z * (-1.1365664914699035e-09lf + z * 5.945259919506636e-11lf)))))))))));
    return x + x * p;
  }
  if (t >= 6.0lf) {
    return rv_signed64(1.0lf, x);
  }
  double q;
  if (t < 1.75lf) {
    double u = t - 1.375lf;
    q = 2.9597875510278966lf + u * (3.2868997282451975lf + u * (0.8823677854320486lf
        + u * (0.029032576704562503lf + u * (-0.006844604467387126lf
        + u * (0.0014261942789439437lf + u * (-0.00023403595898765053lf
        + u * (1.8285031929762242e-05lf + u * (5.95390677956694e-06lf
        + u * (-3.570567726806778e-06lf + u * (1.1192004389413286e-06lf
        + u * -2.3147824500727354e-07lf))))))))));
  } else if (t < 2.75lf) {
    double u = t - 2.25lf;
    q = 6.527459896365819lf + u * (4.882913810544569lf + u * (0.9348675668779596lf
        + u * (0.0133125483921148lf + u * (-0.0027713368286725196lf
        + u * (0.0005548409731585171lf + u * (-0.00010263777763808994lf
        + u * (1.660317276997051e-05lf + u * (-2.048900918392861e-06lf
        + u * (7.557645660983612e-08lf + u * (6.556730745955202e-08lf
        + u * -3.2925949598321595e-08lf))))))))));
  } else if (t < 4.0lf) {
    double u = t - 3.375lf;
    q = 13.219270045826548lf + u * (7.024663287467003lf + u * (0.9647085559276554lf
        + u * (0.005686504036360005lf + u * (-0.0009717396191054603lf
        + u * (0.00016693139323257244lf + u * (-2.8062591955180576e-05lf
        + u * (4.514559836634254e-06lf + u * (-6.830252240386975e-07lf
        + u * 1.0884867932259595e-07lf))))))));
  } else {
    double u = t - 5.0lf;
    q = 27.200890057555615lf + u * (10.192706085258443lf + u * (0.9820928937473365lf
        + u * (0.002207178675667767lf + u * (-0.00022182829906876718lf
        + u * 6.954691383678661e-05lf))));
  }
  return rv_signed64(1.0lf - rv_exp64(-q), x);
}

//! rv_rsqrt64 needs rv_isnan64, rv_iszero64, rv_signed64, rv_isnegative64, rv_isinf64, rv_root64, rv_quotient64
// 1 / sqrt(x), each with the rest that rounding left; -infinity for -0. Error: 0.5 ULP.
double rv_rsqrt64(double x) {
  if (rv_isnan64(x)) {
    return x;
  }
  if (rv_iszero64(x)) {
    return rv_signed64(packDouble2x32(uvec2(0u, 0x7FF00000u)), x);
  }
  if (rv_isnegative64(x)) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  if (rv_isinf64(x)) {
    return 0.0lf;
  }
  // Scaled where a part of s * s would be subnormal or infinite.
  double scale = x < 1.90109156629516e-211lf ? 1.6069380442589903e+60lf
      : (x > 5.260135901548374e+210lf ? 6.223015277861142e-61lf : 1.0lf);
  double back = x < 1.90109156629516e-211lf ? 1.2676506002282294e+30lf
      : (x > 5.260135901548374e+210lf ? 7.888609052210118e-31lf : 1.0lf);
  dvec2 s = rv_root64(dvec2(x * scale, 0.0lf));
  if (s.x == 0.0lf) {
    // Subnormal, and the device takes it as 0.
    return packDouble2x32(uvec2(0u, 0x7FF00000u));
  }
  dvec2 q = rv_quotient64(dvec2(1.0lf, 0.0lf), s);
  return (q.x + q.y) * back;
}

//! rv_rint64 needs rv_signed64
// To the nearest integer, ties to even; what becomes 0 keeps its sign. From 2^52 on all are
// integers, below the sum with 2^52 rounds to one. Exact.
double rv_rint64(double x) {
  double t = abs(x);
  if (!(t < 4503599627370496.0lf)) {
    return x;
  }
  return rv_signed64((t + 4503599627370496.0lf) - 4503599627370496.0lf, x);
}

//! rv_floor64 needs rv_signed64
// floor; -0 keeps its sign. Exact.
double rv_floor64(double x) {
  return rv_signed64(floor(x), x);
}

//! rv_ceil64 needs rv_signed64
// ceil; what becomes 0 keeps its sign. Exact.
double rv_ceil64(double x) {
  return rv_signed64(ceil(x), x);
}

//! rv_trunc64 needs rv_signed64
// trunc; what becomes 0 keeps its sign. Exact. Not trunc itself: lavapipe of Mesa 22.3 leaves 2^52 - 0.5 as it is, on
// CPUs without AVX-512.
double rv_trunc64(double x) {
  return rv_signed64(floor(abs(x)), x);
}

//! rv_fmod64 needs rv_isnan64, rv_isinf64, rv_iszero64, rv_signed64
// The rest of x / y towards 0, by long division of integers of two words, a bit a step: exact, also
// for subnormal numbers.
double rv_fmod64(double x, double y) {
  if (rv_isnan64(x) || rv_isnan64(y) || rv_isinf64(x) || rv_iszero64(y)) {
    return packDouble2x32(uvec2(0u, 0x7FF80000u));
  }
  uvec2 a = unpackDouble2x32(x);
  uvec2 b = unpackDouble2x32(y);
  a.y &= 0x7FFFFFFFu;
  b.y &= 0x7FFFFFFFu;
  if (a.y < b.y || (a.y == b.y && a.x < b.x)) {
    return x;
  }
  int ea = max(int(a.y >> 20), 1);
  int eb = max(int(b.y >> 20), 1);
  uint r1 = (a.y & 0x000FFFFFu) | (a.y >= 0x00100000u ? 0x00100000u : 0u);
  uint r0 = a.x;
  uint m1 = (b.y & 0x000FFFFFu) | (b.y >= 0x00100000u ? 0x00100000u : 0u);
  uint m0 = b.x;
  int steps = ea - eb;
  // A divisor that is subnormal is shifted up to the bits of a normal one, so that a step gives one
  // bit of the quotient.
  if (m1 < 0x00100000u) {
    int up = m1 != 0u ? 20 - findMSB(int(m1)) : 52 - findMSB(m0);
    if (up >= 32) {
      m1 = m0 << (up - 32);
      m0 = 0u;
    } else {
      m1 = m1 << up | m0 >> (32 - up);
      m0 <<= up;
    }
    eb -= up;
    steps += up;
  }
  int turns = steps + 1;
  for (int i = 0; i < 2100; ++i) {
    if (i >= turns) {
      break;
    }
    if (i > 0) {
      r1 = r1 << 1 | r0 >> 31;
      r0 <<= 1;
    }
    if (r1 > m1 || (r1 == m1 && r0 >= m0)) {
      r1 -= m1 + (r0 < m0 ? 1u : 0u);
      r0 -= m0;
    }
  }
  if ((r1 | r0) == 0u) {
    return rv_signed64(0.0lf, x);
  }
  // r 2^(eb - 1075) with eb possibly below 1: shifted to where the exponent is one that there is.
  int lead = r1 != 0u ? 20 - findMSB(int(r1)) : 52 - findMSB(r0);
  int shift = min(lead, eb - 1);
  if (shift >= 32) {
    r1 = r0 << (shift - 32);
    r0 = 0u;
  } else if (shift > 0) {
    r1 = r1 << shift | r0 >> (32 - shift);
    r0 <<= shift;
  } else if (shift <= -32) {
    r0 = r1 >> (-shift - 32);
    r1 = 0u;
  } else if (shift < 0) {
    r0 = r0 >> -shift | r1 << (32 + shift);
    r1 >>= -shift;
  }
  uint exponent = (r1 & 0x00100000u) != 0u ? uint(eb - shift) : 0u;
  return rv_signed64(packDouble2x32(uvec2(r0, exponent << 20 | (r1 & 0x000FFFFFu))), x);
}
