template <typename I, typename F>
static inline I rv_saturated(F x) {
  if (x != x) return 0;
  // 2^bits is a float, the largest integer may be none.
  const F top = std::ldexp((F)1, 8 * sizeof(I) - ((I)-1 < 0 ? 1 : 0));
  if (x >= top) return (I)~((I)-1 < 0 ? (I)((I)1 << (8 * sizeof(I) - 1)) : (I)0);
  if ((I)-1 < 0) {
    if (x < -top) return (I)((I)1 << (8 * sizeof(I) - 1));
  } else if (x <= 0) {
    return 0;
  }
  return (I)x;
}
template <typename T> static inline signed char rv_int8_of(T x) { return rv_saturated<signed char>(x); }
template <typename T> static inline short rv_int16_of(T x) { return rv_saturated<short>(x); }
template <typename T> static inline int rv_int32_of(T x) { return rv_saturated<int>(x); }
template <typename T> static inline long long rv_int64_of(T x) { return rv_saturated<long long>(x); }
template <typename T> static inline unsigned char rv_uint8_of(T x) { return rv_saturated<unsigned char>(x); }
template <typename T> static inline unsigned short rv_uint16_of(T x) { return rv_saturated<unsigned short>(x); }
template <typename T> static inline unsigned int rv_uint32_of(T x) { return rv_saturated<unsigned int>(x); }
template <typename T> static inline unsigned long long rv_uint64_of(T x) { return rv_saturated<unsigned long long>(x); }
