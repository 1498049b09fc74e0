package org.relaxvm.backendcpu.vector.gemm;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.VectorSum;

/** Sweeps over matrices of doubles. */
final class DoubleSweeps extends MatrixSweeps<double[]> {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();
  private static final long BYTES = Double.BYTES;

  /** Columns that are swept at once where there are so many. */
  private static final int STRIP = 2048;

  @Override
  void addRows(
      MemorySegment memory,
      long at,
      int groups,
      long groupStep,
      long rowStep,
      double[] factors,
      int from,
      int factorStep,
      MemorySegment sums,
      long sumsAt,
      int columns) {
    // A loop of its own over the groups: what is found out about the memory is found out once.
    for (int g = 0; g < groups; g++) {
      double f0 = factors[from + g];
      double f1 = factors[from + g + factorStep];
      double f2 = factors[from + g + 2 * factorStep];
      double f3 = factors[from + g + 3 * factorStep];
      long at0 = at + g * groupStep;
      int column = 0;
      for (; column <= columns - STRIP; column += STRIP) {
        long o = column * BYTES;
        addStrip(memory, at0 + o, rowStep, f0, f1, f2, f3, sums, sumsAt + o);
      }
      if (column < columns) {
        long o = column * BYTES;
        addRest(memory, at0 + o, rowStep, f0, f1, f2, f3, sums, sumsAt + o, columns - column);
      }
    }
  }

  /** Four rows of so many columns that the JIT compiler knows: nothing is checked within. */
  private static void addStrip(
      MemorySegment memory,
      long at,
      long rowStep,
      double f0,
      double f1,
      double f2,
      double f3,
      MemorySegment sums,
      long sumsAt) {
    MemorySegment line = line(sums, sumsAt, STRIP);
    MemorySegment row0 = line(memory, at, STRIP);
    MemorySegment row1 = line(memory, at + rowStep, STRIP);
    MemorySegment row2 = line(memory, at + 2 * rowStep, STRIP);
    MemorySegment row3 = line(memory, at + 3 * rowStep, STRIP);
    for (int j = 0; j < STRIP; j += LANES) {
      long o = j * BYTES;
      // The second factor is the one that the processor can read from memory on the way.
      DoubleVector sum = load(line, o);
      sum = DoubleVector.broadcast(SPECIES, f0).fma(load(row0, o), sum);
      sum = DoubleVector.broadcast(SPECIES, f1).fma(load(row1, o), sum);
      sum = DoubleVector.broadcast(SPECIES, f2).fma(load(row2, o), sum);
      sum = DoubleVector.broadcast(SPECIES, f3).fma(load(row3, o), sum);
      sum.intoMemorySegment(line, o, ORDER);
    }
  }

  private static void addRest(
      MemorySegment memory,
      long at,
      long rowStep,
      double f0,
      double f1,
      double f2,
      double f3,
      MemorySegment sums,
      long sumsAt,
      int columns) {
    MemorySegment line = line(sums, sumsAt, columns);
    MemorySegment row0 = line(memory, at, columns);
    MemorySegment row1 = line(memory, at + rowStep, columns);
    MemorySegment row2 = line(memory, at + 2 * rowStep, columns);
    MemorySegment row3 = line(memory, at + 3 * rowStep, columns);
    int j = 0;
    for (; j <= columns - LANES; j += LANES) {
      long o = j * BYTES;
      // The second factor is the one that the processor can read from memory on the way.
      DoubleVector sum = load(line, o);
      sum = DoubleVector.broadcast(SPECIES, f0).fma(load(row0, o), sum);
      sum = DoubleVector.broadcast(SPECIES, f1).fma(load(row1, o), sum);
      sum = DoubleVector.broadcast(SPECIES, f2).fma(load(row2, o), sum);
      sum = DoubleVector.broadcast(SPECIES, f3).fma(load(row3, o), sum);
      sum.intoMemorySegment(line, o, ORDER);
    }
    for (; j < columns; j++) {
      long o = j * BYTES;
      double sum = line.get(JAVA_DOUBLE_UNALIGNED, o);
      sum = Math.fma(row0.get(JAVA_DOUBLE_UNALIGNED, o), f0, sum);
      sum = Math.fma(row1.get(JAVA_DOUBLE_UNALIGNED, o), f1, sum);
      sum = Math.fma(row2.get(JAVA_DOUBLE_UNALIGNED, o), f2, sum);
      sum = Math.fma(row3.get(JAVA_DOUBLE_UNALIGNED, o), f3, sum);
      line.set(JAVA_DOUBLE_UNALIGNED, o, sum);
    }
  }

  @Override
  void addRow(
      MemorySegment memory,
      long at,
      double[] factors,
      int from,
      MemorySegment sums,
      long sumsAt,
      int columns) {
    double factor = factors[from];
    int j = 0;
    for (; j <= columns - LANES; j += LANES) {
      long o = j * BYTES;
      DoubleVector.broadcast(SPECIES, factor)
          .fma(load(memory, at + o), load(sums, sumsAt + o))
          .intoMemorySegment(sums, sumsAt + o, ORDER);
    }
    for (; j < columns; j++) {
      long o = j * BYTES;
      double x = memory.get(JAVA_DOUBLE_UNALIGNED, at + o);
      sums.set(
          JAVA_DOUBLE_UNALIGNED,
          sumsAt + o,
          Math.fma(x, factor, sums.get(JAVA_DOUBLE_UNALIGNED, sumsAt + o)));
    }
  }

  @Override
  void addDots(
      MemorySegment memory,
      long at,
      long columnStep,
      double[] factors,
      int from,
      int depth,
      double[] sums,
      int sumsAt,
      int sumStep,
      int columns) {
    int j = 0;
    for (; j <= columns - 4; j += 4) {
      int sum = sumsAt + j * sumStep;
      addFour(memory, at + j * columnStep, columnStep, factors, from, depth, sums, sum, sumStep);
    }
    for (; j < columns; j++) {
      addOneDot(memory, at + j * columnStep, factors, from, depth, sums, sumsAt + j * sumStep);
    }
  }

  private static void addFour(
      MemorySegment memory,
      long at,
      long columnStep,
      double[] factors,
      int from,
      int depth,
      double[] sums,
      int sumsAt,
      int sumStep) {
    MemorySegment column0 = line(memory, at, depth);
    MemorySegment column1 = line(memory, at + columnStep, depth);
    MemorySegment column2 = line(memory, at + 2 * columnStep, depth);
    MemorySegment column3 = line(memory, at + 3 * columnStep, depth);
    DoubleVector a0 = DoubleVector.zero(SPECIES);
    DoubleVector a1 = DoubleVector.zero(SPECIES);
    DoubleVector a2 = DoubleVector.zero(SPECIES);
    DoubleVector a3 = DoubleVector.zero(SPECIES);
    int p = 0;
    for (; p <= depth - LANES; p += LANES) {
      long o = p * BYTES;
      DoubleVector x = DoubleVector.fromArray(SPECIES, factors, from + p);
      a0 = x.fma(load(column0, o), a0);
      a1 = x.fma(load(column1, o), a1);
      a2 = x.fma(load(column2, o), a2);
      a3 = x.fma(load(column3, o), a3);
    }
    double s0 = VectorSum.of(a0);
    double s1 = VectorSum.of(a1);
    double s2 = VectorSum.of(a2);
    double s3 = VectorSum.of(a3);
    for (; p < depth; p++) {
      long o = p * BYTES;
      double x = factors[from + p];
      s0 = Math.fma(column0.get(JAVA_DOUBLE_UNALIGNED, o), x, s0);
      s1 = Math.fma(column1.get(JAVA_DOUBLE_UNALIGNED, o), x, s1);
      s2 = Math.fma(column2.get(JAVA_DOUBLE_UNALIGNED, o), x, s2);
      s3 = Math.fma(column3.get(JAVA_DOUBLE_UNALIGNED, o), x, s3);
    }
    sums[sumsAt] += s0;
    sums[sumsAt + sumStep] += s1;
    sums[sumsAt + 2 * sumStep] += s2;
    sums[sumsAt + 3 * sumStep] += s3;
  }

  private static void addOneDot(
      MemorySegment memory,
      long at,
      double[] factors,
      int from,
      int depth,
      double[] sums,
      int sumsAt) {
    DoubleVector sum = DoubleVector.zero(SPECIES);
    int p = 0;
    for (; p <= depth - LANES; p += LANES) {
      sum =
          load(memory, at + p * BYTES).fma(DoubleVector.fromArray(SPECIES, factors, from + p), sum);
    }
    double whole = VectorSum.of(sum);
    for (; p < depth; p++) {
      whole = Math.fma(memory.get(JAVA_DOUBLE_UNALIGNED, at + p * BYTES), factors[from + p], whole);
    }
    sums[sumsAt] += whole;
  }

  /**
   * Some elements that lie together. Segments of one length share the check of a place in them, and
   * what remains of it takes less than a line; checks of four places in all of the memory, made
   * once per line, take as long as reading it from the cache.
   */
  private static MemorySegment line(MemorySegment memory, long at, int elements) {
    return memory.asSlice(at, elements * BYTES);
  }

  private static DoubleVector load(MemorySegment memory, long at) {
    return DoubleVector.fromMemorySegment(SPECIES, memory, at, ORDER);
  }
}
