package org.relaxvm.backendcpu.vector.gemm.tile;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.vector.Species;

/** What tiles of doubles share: the way between memory and arrays. */
public abstract class DoubleTile extends Tile<double[]> {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();

  DoubleTile(int rows, int lowRows, VectorSpecies<Double> species) {
    super(rows, lowRows, 2 * species.length(), Codecs.wideFloat(DType.FLOAT64));
  }

  @Override
  public final double[] array(int length) {
    return new double[length];
  }

  @Override
  public final void store(
      double[] sums, int rows, int columns, MemorySegment out, long at, long rowStep, boolean add) {
    if (columns == 2 * LANES) {
      storePairs(sums, columns(), rows, out, at, rowStep, add);
      return;
    }
    for (int i = 0; i < rows; i++) {
      long rowAt = at + i * rowStep;
      int from = i * columns();
      int j = 0;
      for (; j <= columns - LANES; j += LANES) {
        DoubleVector sum = DoubleVector.fromArray(SPECIES, sums, from + j);
        long place = rowAt + j * (long) Double.BYTES;
        if (add) {
          sum = sum.add(DoubleVector.fromMemorySegment(SPECIES, out, place, ORDER));
        }
        sum.intoMemorySegment(out, place, ORDER);
      }
      for (; j < columns; j++) {
        long place = rowAt + j * (long) Double.BYTES;
        double sum = sums[from + j];
        out.set(
            JAVA_DOUBLE_UNALIGNED, place, add ? sum + out.get(JAVA_DOUBLE_UNALIGNED, place) : sum);
      }
    }
  }

  /** Rows of two vectors, without a loop in a row. */
  private static void storePairs(
      double[] sums, int width, int rows, MemorySegment out, long at, long rowStep, boolean add) {
    int from = 0;
    for (int i = 0; i < rows; i++) {
      DoubleVector first = DoubleVector.fromArray(SPECIES, sums, from);
      DoubleVector second = DoubleVector.fromArray(SPECIES, sums, from + LANES);
      long next = at + LANES * (long) Double.BYTES;
      if (add) {
        first = first.add(DoubleVector.fromMemorySegment(SPECIES, out, at, ORDER));
        second = second.add(DoubleVector.fromMemorySegment(SPECIES, out, next, ORDER));
      }
      first.intoMemorySegment(out, at, ORDER);
      second.intoMemorySegment(out, next, ORDER);
      at += rowStep;
      from += width;
    }
  }

  @Override
  public final void copyRun(MemorySegment memory, long at, int count, double[] panel, int panelAt) {
    if (count < LANES) {
      VectorMask<Double> mask = SPECIES.indexInRange(0, count);
      DoubleVector.fromMemorySegment(SPECIES, memory, at, ORDER, mask)
          .intoArray(panel, panelAt, mask);
      return;
    }
    int last = count - LANES;
    for (int i = 0; i < last; i += LANES) {
      DoubleVector.fromMemorySegment(SPECIES, memory, at + i * (long) Double.BYTES, ORDER)
          .intoArray(panel, panelAt + i);
    }
    // May overlap the one before.
    DoubleVector.fromMemorySegment(SPECIES, memory, at + last * (long) Double.BYTES, ORDER)
        .intoArray(panel, panelAt + last);
  }

  @Override
  public final void packRows(
      MemorySegment memory,
      long at,
      long rowStep,
      int depth,
      int columns,
      double[] panel,
      int panelAt) {
    int width = columns();
    if (columns == width && width % LANES == 0) {
      for (int p = 0; p < depth; p++) {
        for (int j = 0; j < width; j += LANES) {
          DoubleVector.fromMemorySegment(SPECIES, memory, at + j * (long) Double.BYTES, ORDER)
              .intoArray(panel, panelAt + j);
        }
        at += rowStep;
        panelAt += width;
      }
    } else {
      for (int p = 0; p < depth; p++) {
        MemorySegment.copy(memory, JAVA_DOUBLE_UNALIGNED, at, panel, panelAt, columns);
        Arrays.fill(panel, panelAt + columns, panelAt + width, 0);
        at += rowStep;
        panelAt += width;
      }
    }
  }
}
