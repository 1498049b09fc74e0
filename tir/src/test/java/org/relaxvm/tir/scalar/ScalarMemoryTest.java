package org.relaxvm.tir.scalar;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;

class ScalarMemoryTest {
  @Test
  void sixteenBitFloatsComeBackAsTheyWere() {
    for (DType dtype : new DType[] {DType.FLOAT16, DType.BFLOAT16}) {
      for (long bits = 0; bits < 0x8000; bits++) {
        double value = Grid.ofBits(dtype, bits);
        assertThat(written(dtype, value)).isEqualTo(Double.valueOf(value));
        assertThat(written(dtype, -value)).isEqualTo(Double.valueOf(-value));
      }
    }
  }

  @Test
  void eightBitFloatsComeBackAsTheyWere() {
    for (DType dtype : AllDTypes.FLOATS8) {
      for (long bits = 0; bits < 0x80; bits++) {
        double value = Grid.ofBits(dtype, bits);
        assertThat(written(dtype, value)).isEqualTo(Double.valueOf(value));
        assertThat(written(dtype, -value)).isEqualTo(Double.valueOf(-value));
      }
    }
  }

  @Test
  void bytesOfFloatsAreThoseOfTheFormat() {
    assertBytes(DType.FLOAT16, Double.doubleToRawLongBits(-2), 0x00, 0xC0);
    assertBytes(DType.BFLOAT16, Double.doubleToRawLongBits(-2), 0x00, 0xC0);
    assertBytes(DType.BFLOAT16, Double.doubleToRawLongBits(1), 0x80, 0x3F);
    assertBytes(DType.FLOAT8_E4M3FN, Double.doubleToRawLongBits(-2), 0xC0);
    assertBytes(DType.FLOAT8_E5M2, Double.doubleToRawLongBits(1.5), 0x3E);
    assertBytes(DType.FLOAT32, Double.doubleToRawLongBits(1), 0, 0, 0x80, 0x3F);
    assertBytes(DType.FLOAT64, Double.doubleToRawLongBits(1), 0, 0, 0, 0, 0, 0, 0xF0, 0x3F);
  }

  @Test
  void aNanWhoseLowBitsAreCutOffStaysOne() {
    double nan = Double.longBitsToDouble(0x7FF0_0000_2000_0000L);
    assertThat(written(DType.BFLOAT16, nan)).isNaN();
    assertThat(written(DType.FLOAT16, nan)).isNaN();
    assertThat(written(DType.FLOAT32, nan)).isNaN();
  }

  @Test
  void integersComeBackAsTheyWere() {
    for (DType dtype : AllDTypes.INTEGERS) {
      MemorySegment memory = MemorySegment.ofArray(new byte[11]);
      for (long value : AllDTypes.edges(dtype)) {
        ScalarMemory.write(memory, 3, dtype, value);
        assertThat(ScalarMemory.read(memory, 3, dtype)).isEqualTo(value);
      }
    }
    assertBytes(DType.INT32, 0x01020304, 4, 3, 2, 1);
  }

  @Test
  void everyByteButZeroIsTrue() {
    MemorySegment memory = MemorySegment.ofArray(new byte[] {0, 1, 2, -1});
    assertThat(ScalarMemory.read(memory, 0, DType.BOOL)).isZero();
    for (int i = 1; i < 4; i++) {
      assertThat(ScalarMemory.read(memory, i, DType.BOOL)).isEqualTo(1);
    }
  }

  private static double written(DType dtype, double value) {
    MemorySegment memory = MemorySegment.ofArray(new byte[9]);
    ScalarMemory.write(memory, 1, dtype, Double.doubleToRawLongBits(value));
    return Scalars.toDouble(ScalarMemory.read(memory, 1, dtype));
  }

  private static void assertBytes(DType dtype, long value, int... expected) {
    byte[] bytes = new byte[expected.length];
    ScalarMemory.write(MemorySegment.ofArray(bytes), 0, dtype, value);
    for (int i = 0; i < bytes.length; i++) {
      assertThat(bytes[i] & 0xFF).as("byte %d of %s", i, dtype).isEqualTo(expected[i]);
    }
  }
}
