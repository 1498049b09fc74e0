package org.relaxvm.backendcpu.vector.math;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.FloatLanes;
import org.relaxvm.backendcpu.element.MemoryLanes;
import org.relaxvm.backendcpu.element.UnaryOp;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/** What is computed in memory has the bits of what is computed in arrays. */
class FloatMemoryTest {
  private static final float[] SPECIAL = {
    0f,
    -0f,
    1f,
    -1f,
    0.5f,
    -0.5f,
    1.5f,
    -2.5f,
    0x1p23f,
    -0x1.fffffep22f,
    0x1p31f,
    86f,
    -86.5f,
    -103.9f,
    -105f,
    88.8f,
    Float.MIN_VALUE,
    -Float.MIN_NORMAL,
    Float.MAX_VALUE,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY
  };
  private static final int[] COUNTS = {0, 1, 15, 16, 17, 64, 1003};
  private static final long AT = 12;

  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final VectorFloatLanes lanes = new VectorFloatLanes();
  private final MemoryLanes memory = lanes.memory();

  @Test
  void functionsOfOneElementHaveTheBitsOfArrays() {
    Set<UnaryOp> done = EnumSet.noneOf(UnaryOp.class);
    for (UnaryOp op : UnaryOp.values()) {
      for (int count : COUNTS) {
        float[] x = values(count);
        MemorySegment from = segment(x);
        MemorySegment out = segment(new float[count]);
        int whole = memory.unary(op, from, AT, out, AT, count);
        if (whole > 0) {
          done.add(op);
        }
        lanes.unary(op, x, whole);
        requireBits(op, x, out, whole, count);
      }
    }
    assertThat(done).contains(UnaryOp.GELU, UnaryOp.EXP, UnaryOp.ABS).doesNotContain(UnaryOp.SIN);
  }

  @Test
  void functionsOfTwoElementsHaveTheBitsOfArrays() {
    FloatLanes portable = new FloatLanes();
    for (BinaryOp op :
        new BinaryOp[] {
          BinaryOp.ADD,
          BinaryOp.SUBTRACT,
          BinaryOp.MULTIPLY,
          BinaryOp.DIVIDE,
          BinaryOp.MAXIMUM,
          BinaryOp.MINIMUM
        }) {
      for (int count : COUNTS) {
        float[] a = values(count);
        float[] b = values(count);
        MemorySegment out = segment(new float[count]);
        int whole = memory.binary(op, segment(a), AT, segment(b), AT, out, AT, count);
        assertThat(whole).isEqualTo(Species.FLOAT.loopBound(count));
        float[] expected = a.clone();
        portable.binary(op, expected, b, 0, whole);
        requireBits(op, expected, out, whole, count);
        for (float one : SPECIAL) {
          MemorySegment right = segment(new float[] {one});
          memory.binaryWithOne(op, segment(a), AT, right, AT, out, AT, count);
          expected = a.clone();
          float[] ones = new float[count];
          Arrays.fill(ones, one);
          portable.binary(op, expected, ones, 0, whole);
          requireBits(op, expected, out, whole, count);
        }
      }
    }
  }

  @Test
  void theResultMayReplaceAnOperand() {
    float[] x = values(100);
    MemorySegment place = segment(x);
    int whole = memory.unary(UnaryOp.GELU, place, AT, place, AT, 100);
    lanes.unary(UnaryOp.GELU, x, whole);
    assertThat(bits(place, whole)).containsExactly(bits(segment(x), whole));
    memory.binary(BinaryOp.ADD, place, AT, place, AT, place, AT, 100);
    lanes.binary(BinaryOp.ADD, x, x, 0, whole);
    assertThat(bits(place, whole)).containsExactly(bits(segment(x), whole));
  }

  @Test
  void segmentsOfArraysAreLeftOver() {
    MemorySegment array = MemorySegment.ofArray(new float[100]);
    MemorySegment place = segment(new float[100]);
    assertThat(memory.unary(UnaryOp.ABS, array, 0, place, 0, 64)).isZero();
    assertThat(memory.unary(UnaryOp.ABS, place, 0, array, 0, 64)).isZero();
    assertThat(memory.binary(BinaryOp.ADD, place, 0, array, 0, place, 0, 64)).isZero();
    assertThat(memory.binaryWithOne(BinaryOp.ADD, array, 0, place, 0, place, 0, 64)).isZero();
  }

  @Test
  void loopsRefuseSegmentsOfArrays() {
    MemorySegment array = MemorySegment.ofArray(new byte[4]);
    assertThatThrownBy(() -> NativeMemory.require(array, array))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected native memory, but got " + array + " and " + array);
  }

  private float[] values(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (random.nextInt(4)) {
            case 0 -> SPECIAL[random.nextInt(SPECIAL.length)];
            case 1 -> Float.intBitsToFloat(random.nextInt());
            default -> (float) (random.nextGaussian() * 8);
          };
    }
    return values;
  }

  /** Memory that begins in front of the elements, and ends behind them. */
  private static MemorySegment segment(float[] values) {
    MemorySegment segment = Arena.ofAuto().allocate(2 * AT + 4L * values.length, 64);
    MemorySegment.copy(values, 0, segment, JAVA_FLOAT_UNALIGNED, AT, values.length);
    return segment;
  }

  private void requireBits(Enum<?> op, float[] expected, MemorySegment out, int whole, int count) {
    float[] all = new float[count];
    System.arraycopy(expected, 0, all, 0, whole);
    assertThat(bits(out, count))
        .as("%s of %d elements, -Drelaxvm.seed=%d", op, count, seed)
        .containsExactly(bits(segment(all), count));
  }

  private static int[] bits(MemorySegment memory, int count) {
    int[] bits = new int[count];
    for (int i = 0; i < count; i++) {
      bits[i] = Float.floatToIntBits(memory.get(JAVA_FLOAT_UNALIGNED, AT + 4L * i));
    }
    return bits;
  }
}
