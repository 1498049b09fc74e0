// By what the instruction set says of mma.m16n8k32: which lane has which elements.
#define RV_FLOAT8_UNIT
template <bool E5M2>
static inline float rv_element8(unsigned char bits) {
  int exponent = E5M2 ? bits >> 2 & 31 : bits >> 3 & 15, fraction = bits & (E5M2 ? 3 : 7);
  float size;
  if (E5M2 ? exponent == 31 : (bits & 127) == 127) {
    size = E5M2 && fraction == 0 ? INFINITY : NAN;
  } else {
    int implied = exponent == 0 ? 0 : E5M2 ? 4 : 8;
    size = std::ldexp((float)(implied + fraction), (exponent == 0 ? 1 : exponent) - (E5M2 ? 17 : 10));
  }
  return bits & 128 ? -size : size;
}
template <bool E5M2>
static inline void rv_mma_16x8x32(float* sums, const unsigned int (&a)[4], unsigned int b0, unsigned int b1) {
  uint32_t mine[6] = {a[0], a[1], a[2], a[3], b0, b1};
  uint32_t all[32][6];
  emulation::exchange(mine, all);
  int lane = emulation::lane();
  auto byte = [](uint32_t word, int which) { return rv_element8<E5M2>((unsigned char)(word >> 8 * which)); };
  for (int e = 0; e < 4; e++) {
    int row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
    for (int k = 0; k < 32; k++) {
      float left = byte(all[row % 8 * 4 + k % 16 / 4][row / 8 + k / 16 * 2], k % 4);
      float right = byte(all[column * 4 + k % 16 / 4][4 + k / 16], k % 4);
      sums[e] += left * right;
    }
  }
}
