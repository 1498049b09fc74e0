static inline float rv_of_bf16(unsigned short bits) { return __uint_as_float((unsigned int)bits << 16); }
static inline unsigned short rv_bf16(float x) {
  const unsigned int u = __float_as_uint(x);
  return x != x ? 0x7fff : (unsigned short)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
