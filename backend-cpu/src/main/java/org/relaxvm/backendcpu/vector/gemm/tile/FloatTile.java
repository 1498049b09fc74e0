package org.relaxvm.backendcpu.vector.gemm.tile;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.FloatLanes;
import org.relaxvm.backendcpu.vector.Species;

/**
 * What tiles of floats share: the way between memory and arrays.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why does the innermost tile work on Java arrays?"
 */
public abstract class FloatTile extends Tile<float[]> {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();

  FloatTile(int rows, int lowRows, VectorSpecies<Float> species) {
    super(rows, lowRows, 2 * species.length(), Codecs.narrowFloat(DType.FLOAT32, new FloatLanes()));
  }

  @Override
  public final float[] array(int length) {
    return new float[length];
  }

  @Override
  public final void store(
      float[] sums, int rows, int columns, MemorySegment out, long at, long rowStep, boolean add) {
    if (columns == 2 * LANES) {
      storePairs(sums, columns(), rows, out, at, rowStep, add);
      return;
    }
    for (int i = 0; i < rows; i++) {
      long rowAt = at + i * rowStep;
      int from = i * columns();
      int j = 0;
      for (; j <= columns - LANES; j += LANES) {
        FloatVector sum = FloatVector.fromArray(SPECIES, sums, from + j);
        long place = rowAt + j * (long) Float.BYTES;
        if (add) {
          sum = sum.add(FloatVector.fromMemorySegment(SPECIES, out, place, ORDER));
        }
        sum.intoMemorySegment(out, place, ORDER);
      }
      for (; j < columns; j++) {
        long place = rowAt + j * (long) Float.BYTES;
        float sum = sums[from + j];
        out.set(
            JAVA_FLOAT_UNALIGNED, place, add ? sum + out.get(JAVA_FLOAT_UNALIGNED, place) : sum);
      }
    }
  }

  /** Rows of two vectors, without a loop in a row. */
  private static void storePairs(
      float[] sums, int width, int rows, MemorySegment out, long at, long rowStep, boolean add) {
    int from = 0;
    for (int i = 0; i < rows; i++) {
      FloatVector first = FloatVector.fromArray(SPECIES, sums, from);
      FloatVector second = FloatVector.fromArray(SPECIES, sums, from + LANES);
      long next = at + LANES * (long) Float.BYTES;
      if (add) {
        first = first.add(FloatVector.fromMemorySegment(SPECIES, out, at, ORDER));
        second = second.add(FloatVector.fromMemorySegment(SPECIES, out, next, ORDER));
      }
      first.intoMemorySegment(out, at, ORDER);
      second.intoMemorySegment(out, next, ORDER);
      at += rowStep;
      from += width;
    }
  }

  @Override
  public final void copyRun(MemorySegment memory, long at, int count, float[] panel, int panelAt) {
    if (count < LANES) {
      VectorMask<Float> mask = SPECIES.indexInRange(0, count);
      FloatVector.fromMemorySegment(SPECIES, memory, at, ORDER, mask)
          .intoArray(panel, panelAt, mask);
      return;
    }
    int last = count - LANES;
    for (int i = 0; i < last; i += LANES) {
      FloatVector.fromMemorySegment(SPECIES, memory, at + i * (long) Float.BYTES, ORDER)
          .intoArray(panel, panelAt + i);
    }
    // May overlap the one before.
    FloatVector.fromMemorySegment(SPECIES, memory, at + last * (long) Float.BYTES, ORDER)
        .intoArray(panel, panelAt + last);
  }

  @Override
  public final void packRows(
      MemorySegment memory,
      long at,
      long rowStep,
      int depth,
      int columns,
      float[] panel,
      int panelAt) {
    int width = columns();
    if (columns == width && width % LANES == 0) {
      for (int p = 0; p < depth; p++) {
        for (int j = 0; j < width; j += LANES) {
          FloatVector.fromMemorySegment(SPECIES, memory, at + j * (long) Float.BYTES, ORDER)
              .intoArray(panel, panelAt + j);
        }
        at += rowStep;
        panelAt += width;
      }
    } else {
      for (int p = 0; p < depth; p++) {
        MemorySegment.copy(memory, JAVA_FLOAT_UNALIGNED, at, panel, panelAt, columns);
        Arrays.fill(panel, panelAt + columns, panelAt + width, 0);
        at += rowStep;
        panelAt += width;
      }
    }
  }
}
