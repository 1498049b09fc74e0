static inline float rv_of_f16(unsigned short bits) {
  _Float16 half;
  std::memcpy(&half, &bits, 2);
  return (float)half;
}
static inline unsigned short rv_f16(float x) {
  _Float16 half = (_Float16)x;
  unsigned short bits;
  std::memcpy(&bits, &half, 2);
  return bits;
}
static inline float rv_half(float x) { return rv_of_f16(rv_f16(x)); }
