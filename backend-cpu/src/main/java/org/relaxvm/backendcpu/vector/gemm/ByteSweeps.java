package org.relaxvm.backendcpu.vector.gemm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/** Sweeps over matrices of bytes, which are multiplied as floats. */
final class ByteSweeps {
  /** Rows of the matrix that are swept at once. */
  static final int GROUP = 4;

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final VectorSpecies<Byte> BYTES =
      LANES == 16 ? ByteVector.SPECIES_128 : ByteVector.SPECIES_64;

  private ByteSweeps() {}

  /** Whether there are vectors of as many bytes as floats. */
  static boolean areFast() {
    return BYTES.length() == LANES;
  }

  /**
   * Adds four rows of neighbouring bytes: {@code sums[sumsAt + j] += sum over q of factors[from +
   * q] * matrix[q][j]}.
   *
   * @param at place of the first row
   */
  static void addRows(
      MemorySegment memory,
      long at,
      long rowStep,
      boolean signed,
      float[] factors,
      int from,
      float[] sums,
      int sumsAt,
      int columns) {
    int done =
        signed
            ? addSigned(memory, at, rowStep, factors, from, sums, sumsAt, columns)
            : addUnsigned(memory, at, rowStep, factors, from, sums, sumsAt, columns);
    for (int q = 0; q < GROUP; q++) {
      addRest(memory, at + q * rowStep, signed, factors[from + q], sums, sumsAt, done, columns);
    }
  }

  /** The same with one row, byte by byte. */
  static void addRow(
      MemorySegment memory,
      long at,
      boolean signed,
      float factor,
      float[] sums,
      int sumsAt,
      int columns) {
    addRest(memory, at, signed, factor, sums, sumsAt, 0, columns);
  }

  private static void addRest(
      MemorySegment memory,
      long at,
      boolean signed,
      float factor,
      float[] sums,
      int sumsAt,
      int done,
      int columns) {
    for (int j = done; j < columns; j++) {
      byte value = memory.get(JAVA_BYTE, at + j);
      sums[sumsAt + j] += factor * (signed ? value : value & 0xff);
    }
  }

  private static int addSigned(
      MemorySegment memory,
      long at,
      long rowStep,
      float[] factors,
      int from,
      float[] sums,
      int sumsAt,
      int columns) {
    float f0 = factors[from];
    float f1 = factors[from + 1];
    float f2 = factors[from + 2];
    float f3 = factors[from + 3];
    long at1 = at + rowStep;
    long at2 = at1 + rowStep;
    long at3 = at2 + rowStep;
    int j = 0;
    for (; j <= columns - LANES; j += LANES) {
      FloatVector sum = FloatVector.fromArray(SPECIES, sums, sumsAt + j);
      sum = signed(memory, at + j).fma(FloatVector.broadcast(SPECIES, f0), sum);
      sum = signed(memory, at1 + j).fma(FloatVector.broadcast(SPECIES, f1), sum);
      sum = signed(memory, at2 + j).fma(FloatVector.broadcast(SPECIES, f2), sum);
      sum = signed(memory, at3 + j).fma(FloatVector.broadcast(SPECIES, f3), sum);
      sum.intoArray(sums, sumsAt + j);
    }
    return j;
  }

  private static int addUnsigned(
      MemorySegment memory,
      long at,
      long rowStep,
      float[] factors,
      int from,
      float[] sums,
      int sumsAt,
      int columns) {
    float f0 = factors[from];
    float f1 = factors[from + 1];
    float f2 = factors[from + 2];
    float f3 = factors[from + 3];
    long at1 = at + rowStep;
    long at2 = at1 + rowStep;
    long at3 = at2 + rowStep;
    int j = 0;
    for (; j <= columns - LANES; j += LANES) {
      FloatVector sum = FloatVector.fromArray(SPECIES, sums, sumsAt + j);
      sum = unsigned(memory, at + j).fma(FloatVector.broadcast(SPECIES, f0), sum);
      sum = unsigned(memory, at1 + j).fma(FloatVector.broadcast(SPECIES, f1), sum);
      sum = unsigned(memory, at2 + j).fma(FloatVector.broadcast(SPECIES, f2), sum);
      sum = unsigned(memory, at3 + j).fma(FloatVector.broadcast(SPECIES, f3), sum);
      sum.intoArray(sums, sumsAt + j);
    }
    return j;
  }

  private static FloatVector signed(MemorySegment memory, long at) {
    return (FloatVector)
        ByteVector.fromMemorySegment(BYTES, memory, at, ORDER)
            .convertShape(VectorOperators.B2F, SPECIES, 0);
  }

  private static FloatVector unsigned(MemorySegment memory, long at) {
    return (FloatVector)
        ByteVector.fromMemorySegment(BYTES, memory, at, ORDER)
            .convertShape(VectorOperators.ZERO_EXTEND_B2I, Species.INT, 0)
            .convertShape(VectorOperators.I2F, SPECIES, 0);
  }
}
