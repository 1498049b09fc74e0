// By what the instruction set says of ldmatrix and mma.m16n8k16: which lane has which elements.
template <bool TURNED>
static inline void rv_ldmatrix(unsigned int (&to)[4], const unsigned short* line) {
  if ((uintptr_t)line % 16 != 0) {
    emulation::broken("a line of a small matrix is not aligned");
  }
  uint64_t address = (uint64_t)line;
  uint32_t mine[2] = {(uint32_t)address, (uint32_t)(address >> 32)};
  uint32_t all[32][2];
  emulation::exchange(mine, all);
  int lane = emulation::lane();
  for (int m = 0; m < 4; m++) {
    auto element = [&](int row, int column) -> uint32_t {
      const uint32_t* from = all[m * 8 + row];
      return ((const unsigned short*)((uint64_t)from[1] << 32 | from[0]))[column];
    };
    int a = lane / 4, b = lane % 4 * 2;
    to[m] = TURNED ? element(b, a) | element(b + 1, a) << 16 : element(a, b) | element(a, b + 1) << 16;
  }
}
template <bool BFLOAT>
static inline float rv_mma_value(unsigned short bits) {
  if (BFLOAT) {
    return __uint_as_float((unsigned)bits << 16);
  }
  _Float16 half;
  std::memcpy(&half, &bits, 2);
  return (float)half;
}
template <bool BFLOAT>
static inline void rv_mma_16x8x16(float* sums, const unsigned int (&a)[4], unsigned int b0, unsigned int b1) {
  uint32_t mine[6] = {a[0], a[1], a[2], a[3], b0, b1};
  uint32_t all[32][6];
  emulation::exchange(mine, all);
  int lane = emulation::lane();
  auto half = [](uint32_t word, int which) {
    return rv_mma_value<BFLOAT>((unsigned short)(which == 0 ? word : word >> 16));
  };
  for (int e = 0; e < 4; e++) {
    int row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
    for (int k = 0; k < 16; k++) {
      float left = half(all[row % 8 * 4 + k % 8 / 2][row / 8 + k / 8 * 2], k % 2);
      float right = half(all[column * 4 + k % 8 / 2][4 + k / 8], k % 2);
      sums[e] += left * right;
    }
  }
}
