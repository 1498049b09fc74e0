package org.relaxvm.machine.arm64;

import java.util.ArrayList;
import java.util.List;

/** Constants that fit a slot: the smallest, the largest, some between. */
final class ImmediateSamples {
  private ImmediateSamples() {}

  static List<Operand> of(ImmediateSlot slot, Shape shape) {
    int size = shape.gpBits();
    int lane = 8 * shape.elementBytes();
    double[] floats =
        switch (slot.kind()) {
          case FLOAT_ZERO -> new double[] {0};
          case FLOAT_SCALAR, FLOAT_VECTOR -> new double[] {1, -1, 0.125, 31, -0.1328125, 2.5};
          default -> new double[0];
        };
    long[] values =
        switch (slot.kind()) {
          case ARITHMETIC -> new long[] {0, 1, 4095, 4096, 0xABC000, 0xFFF000};
          case BITMASK ->
              size == 32
                  ? new long[] {1, 0xFF, 0xFFFF_FFFEL, -16, 0x0F0F_0F0F, 0x5555_5555, 0x8000_0001L}
                  : new long[] {
                    1,
                    0x5555_5555_5555_5555L,
                    -64,
                    0x7FFF_FFFF_FFFF_FFFFL,
                    0xE001_E001_E001_E001L,
                    0x0000_FF00_0000_FF00L,
                    0xC000_0000_0000_0003L
                  };
          case HALFWORD, LOW_HALFWORD -> new long[] {0, 1, 0x1234, 0xFFFF};
          case FLAGS -> new long[] {0, 4, 15};
          case FIVE_BITS -> new long[] {0, 7, 31};
          case BIT -> new long[] {0, 1, 31, size - 1, size / 2};
          case IMMR, IMMS, SHIFT_LEFT -> new long[] {0, 1, 17, size - 1};
          // Widths of one bit fit each of these; the others are added for pairs.
          case INSERT_AT, EXTRACT_AT -> new long[] {0, 1, size - 1};
          case INSERT_WIDTH, EXTRACT_WIDTH -> new long[] {1};
          case VECTOR_LEFT -> new long[] {0, 1, lane - 1};
          case VECTOR_RIGHT -> new long[] {1, 2, lane};
          case SCALAR_LEFT -> new long[] {0, 5, 63};
          case SCALAR_RIGHT -> new long[] {1, 5, 64};
          case BYTE_INDEX -> new long[] {0, 3, shape.bytes() - 1};
          case EIGHT_BITS -> new long[] {0, 1, 0x5A, 0xFF};
          case BYTE_MASK -> new long[] {0, -1, 0xFF00_00FF_0000_FFFFL};
          case ZERO -> new long[] {0};
          case PAGES -> new long[] {0, 4096, -4096, 0xFFFF_F000L, -0x1_0000_0000L, 0x1234_5000};
          case FLOAT_ZERO, FLOAT_SCALAR, FLOAT_VECTOR -> new long[0];
        };
    List<Operand> samples = new ArrayList<>();
    for (double value : floats) {
      samples.add(FloatImmediate.of(value));
    }
    for (long value : values) {
      samples.add(Immediate.of(value));
    }
    return samples;
  }
}
