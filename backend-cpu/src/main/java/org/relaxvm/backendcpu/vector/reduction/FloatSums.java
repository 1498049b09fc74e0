package org.relaxvm.backendcpu.vector.reduction;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.reduction.Reducer;
import org.relaxvm.backendcpu.vector.Species;

/** Sums. Up to 16 elements, or a few rows, are added in float32, their sums in float64. */
public final class FloatSums implements Reducer<double[]> {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final VectorSpecies<Double> WIDE = Species.DOUBLE;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int LANES = SPECIES.length();
  private static final long BYTES = Float.BYTES;
  private static final long VECTOR = SPECIES.vectorByteSize();
  private static final int GROUP = 8;
  private static final int WIDTH = WIDE.length();
  private static final int TOGETHER = 16;
  private static final VectorShuffle<Float> HALVES =
      VectorShuffle.iota(SPECIES, LANES / 2, 1, true);

  private final float[] row = new float[LONGEST_ROW];
  private final float[] end = new float[LANES];
  private final double[] lanes = new double[TOGETHER * WIDTH];

  /** Creates the sums of one thread. */
  public FloatSums() {}

  @Override
  public void lines(MemorySegment x, long at, long step, int lines, int count, double[] results) {
    if (count < LANES) {
      shortLines(x, at, step, lines, count, results);
      return;
    }
    for (int first = 0; first < lines; first += TOGETHER) {
      int together = Math.min(TOGETHER, lines - first);
      long from = at + first * step;
      if (count < GROUP * LANES) {
        fewVectors(x, from, step, together, count, lanes);
      } else {
        for (int i = 0; i < together; i++) {
          line(x, from + i * step, count, lanes, i * WIDTH);
        }
      }
      for (int i = 0; i < together; i++) {
        results[first + i] = sum(lanes, i * WIDTH);
      }
    }
  }

  /** Each half onto the other, until one lane is left. */
  private static double sum(double[] lanes, int from) {
    return switch (WIDTH) {
      case 8 -> quarter(lanes, from, 2) + quarter(lanes, from + 1, 2);
      case 4 -> quarter(lanes, from, 1);
      default -> lanes[from] + lanes[from + 1];
    };
  }

  private static double quarter(double[] x, int from, int step) {
    return (x[from] + x[from + 2 * step]) + (x[from + step] + x[from + 3 * step]);
  }

  private static void shortLines(
      MemorySegment x, long at, long step, int lines, int count, double[] results) {
    for (int i = 0; i < lines; i++) {
      double sum = 0;
      for (int j = 0; j < count; j++) {
        sum += x.get(JAVA_FLOAT_UNALIGNED, at + i * step + j * BYTES);
      }
      results[i] = sum;
    }
  }

  private static void line(MemorySegment x, long at, int count, double[] lanes, int to) {
    DoubleVector sum = DoubleVector.broadcast(WIDE, 0);
    int i = 0;
    for (; i <= count - GROUP * LANES; i += GROUP * LANES) {
      long from = at + i * BYTES;
      FloatVector x0 = load(x, from).add(load(x, from + VECTOR));
      FloatVector x2 = load(x, from + 2 * VECTOR).add(load(x, from + 3 * VECTOR));
      FloatVector x4 = load(x, from + 4 * VECTOR).add(load(x, from + 5 * VECTOR));
      FloatVector x6 = load(x, from + 6 * VECTOR).add(load(x, from + 7 * VECTOR));
      sum = sum.add(wide(x0.add(x2).add(x4.add(x6))));
    }
    for (; i <= count - LANES; i += LANES) {
      sum = sum.add(wide(load(x, at + i * BYTES)));
    }
    if (i < count) {
      // The last vector lies over elements that are added already.
      VectorMask<Float> rest = SPECIES.indexInRange(0, i - count + LANES).not();
      FloatVector last = load(x, at + (count - LANES) * BYTES);
      sum = sum.add(wide(FloatVector.broadcast(SPECIES, 0).blend(last, rest)));
    }
    sum.intoArray(lanes, to);
  }

  private static void fewVectors(
      MemorySegment x, long at, long step, int lines, int count, double[] lanes) {
    int whole = count - count % LANES;
    VectorMask<Float> rest = SPECIES.indexInRange(0, whole - count + LANES).not();
    for (int line = 0; line < lines; line++) {
      long from = at + line * step;
      FloatVector last = load(x, from + (count - LANES) * BYTES);
      FloatVector sum = FloatVector.broadcast(SPECIES, 0).blend(last, rest);
      for (int i = 0; i < whole; i += LANES) {
        sum = sum.add(load(x, from + i * BYTES));
      }
      wide(sum).intoArray(lanes, line * WIDTH);
    }
  }

  private static DoubleVector wide(FloatVector x) {
    FloatVector half = x.add(x.rearrange(HALVES));
    return (DoubleVector) half.convertShape(VectorOperators.F2D, WIDE, 0);
  }

  @Override
  public void rows(MemorySegment x, long at, long step, int rows, int count, double[] results) {
    int whole = count - count % LANES;
    if (whole == 0) {
      shortRows(x, at, step, rows, count, results);
      return;
    }
    add(x, at, step, rows, whole, row);
    if (whole < count) {
      // The last vector lies over columns that are added already.
      add(x, at + (count - LANES) * BYTES, step, rows, LANES, end);
      System.arraycopy(end, LANES + whole - count, row, whole, count - whole);
    }
    for (int i = 0; i < count; i++) {
      results[i] = row[i];
    }
  }

  private static void shortRows(
      MemorySegment x, long at, long step, int rows, int count, double[] results) {
    for (int i = 0; i < count; i++) {
      double sum = 0;
      for (int j = 0; j < rows; j++) {
        sum += x.get(JAVA_FLOAT_UNALIGNED, at + j * step + i * BYTES);
      }
      results[i] = sum;
    }
  }

  private static void add(MemorySegment x, long at, long step, int rows, int count, float[] into) {
    MemorySegment.copy(x, JAVA_FLOAT_UNALIGNED, at, into, 0, count);
    int row = 1;
    for (; row <= rows - GROUP; row += GROUP) {
      addGroup(x, at + row * step, step, count, into);
    }
    for (; row < rows; row++) {
      addRow(x, at + row * step, count, into);
    }
  }

  private static void addGroup(MemorySegment x, long at, long step, int count, float[] into) {
    for (int i = 0; i < count; i += LANES) {
      long from = at + i * BYTES;
      FloatVector x0 = load(x, from).add(load(x, from + step));
      FloatVector x2 = load(x, from + 2 * step).add(load(x, from + 3 * step));
      FloatVector x4 = load(x, from + 4 * step).add(load(x, from + 5 * step));
      FloatVector x6 = load(x, from + 6 * step).add(load(x, from + 7 * step));
      load(into, i).add(x0.add(x2).add(x4.add(x6))).intoArray(into, i);
    }
  }

  private static void addRow(MemorySegment x, long at, int count, float[] into) {
    for (int i = 0; i < count; i += LANES) {
      load(into, i).add(load(x, at + i * BYTES)).intoArray(into, i);
    }
  }

  private static FloatVector load(MemorySegment x, long at) {
    return FloatVector.fromMemorySegment(SPECIES, x, at, ORDER);
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(SPECIES, x, at);
  }
}
