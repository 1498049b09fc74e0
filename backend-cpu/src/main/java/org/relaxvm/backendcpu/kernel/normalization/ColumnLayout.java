package org.relaxvm.backendcpu.kernel.normalization;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

/**
 * Lines that are adjacent in memory, so that a row across them is one piece: the groups of channels
 * that lie last, or lines along an axis that is not the last. Operands are numbered: x, gamma,
 * beta, out.
 *
 * @param lines a walk over the first elements of lines, in runs of neighbours
 * @param positions a walk along a line: over its rows
 * @param size the neighbouring elements of a line in one row
 * @param inside the distances of those in each operand, in bytes
 * @param together how many positions are one row of the computation: short rows are joined
 * @param atOnce how many positions are read before they are computed: some of those rows
 */
record ColumnLayout(
    Sweep lines, Sweep positions, int size, long[] inside, int together, int atOnce) {
  private static final int CHUNK = 4096;
  private static final int WIDEST = 1024;
  private static final int NARROWEST = 256;
  private static final int LEAST_ROWS = 8;
  private static final int LANES = 16;
  private static final int OUT = 3;

  /**
   * The layout of a normalization, or null if its lines do not lie so.
   *
   * @param bytes of an element
   */
  static @Nullable ColumnLayout of(Normalization plan, int bytes) {
    Operand[] operands = {plan.x(), plan.gamma(), plan.beta(), plan.out()};
    int within = -1;
    int rest = 0;
    int[] places = new int[plan.reduced().length];
    for (int axis : plan.reduced()) {
      if (plan.x().dim(axis) == 1) {
        continue;
      }
      if (within < 0 && plan.x().stride(axis) == bytes) {
        within = axis;
      } else {
        places[rest++] = axis;
      }
    }
    long size = within < 0 ? 1 : plan.x().dim(within);
    if (rest == 0 || size > WIDEST) {
      return null;
    }
    Sweep lines = lines(operands, plan.kept(), (int) (WIDEST / size));
    long[] inside = new long[operands.length];
    for (int i = 0; i < inside.length; i++) {
      inside[i] = within < 0 ? lines.step(i) : operands[i].stride(within);
    }
    if (lines.runLength() < 2
        || lines.step(0) != size * bytes
        || lines.step(OUT) != size * inside[OUT]) {
      return null;
    }
    int width = lines.runLength() * (int) size;
    int[] axes = Arrays.copyOf(places, rest);
    long count = 1;
    for (int axis : axes) {
      count *= plan.x().dim(axis);
    }
    int together = together(width, count);
    int atOnce = Math.max(1, CHUNK / (width * together)) * together;
    Sweep positions = sweep(operands, axes, atOnce);
    return new ColumnLayout(lines, positions, (int) size, inside, together, atOnce);
  }

  /** Runs of at most so many lines, all of about the same length. */
  private static Sweep lines(Operand[] operands, int[] kept, int most) {
    Sweep lines = sweep(operands, kept, most);
    long count = lines.dim(lines.rank() - 1);
    if (count <= most) {
      return lines;
    }
    long runs = (count + most - 1) / most;
    long even = (count + runs - 1) / runs;
    long whole = (even + LANES - 1) / LANES * LANES;
    return sweep(operands, kept, (int) Math.min(most, whole));
  }

  private static Sweep sweep(Operand[] operands, int[] axes, int longest) {
    Operand[] some = new Operand[operands.length];
    for (int i = 0; i < some.length; i++) {
      some[i] = operands[i].axes(axes);
    }
    return new Sweep(longest, some);
  }

  /** As many positions as make wide rows, and a few of them, if possible of whole vectors. */
  private static int together(int width, long positions) {
    long most = Math.min(NARROWEST / width, positions / LEAST_ROWS);
    if (most < 2) {
      return 1;
    }
    int whole = LANES / Math.min(LANES, Integer.lowestOneBit(width));
    return (int) (most < whole ? most : most / whole * whole);
  }

  /** The elements in a row of a run of lines. */
  int width(int count) {
    return count * size;
  }

  /** The elements in the longest row. */
  int widest() {
    return width(lines.runLength());
  }

  /** Whether an operand has the same elements at all positions. */
  boolean isConstant(int operand) {
    for (int axis = 0; axis < positions.rank(); axis++) {
      if (positions.stride(operand, axis) != 0 && positions.dim(axis) > 1) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads rows of neighbouring lines.
   *
   * @param at offset of the first element, in bytes
   * @param count of the lines
   */
  <A> void load(
      Codec<A> codec, Operand from, int operand, long at, int rows, int count, A into, int start) {
    int width = width(count);
    long step = inside[operand];
    boolean even = lines.step(operand) == size * step || size == 1;
    long next = positions.step(operand);
    if (even && next == width * step) {
      codec.load(from.memory(), at, step, into, start, start + rows * width);
      return;
    }
    for (int row = 0; row < rows; row++) {
      int first = start + row * width;
      long place = at + row * next;
      if (even) {
        codec.load(from.memory(), place, step, into, first, first + width);
      } else {
        for (int i = 0; i < count; i++) {
          long line = place + i * lines.step(operand);
          int to = first + i * size;
          codec.load(from.memory(), line, step, into, to, to + size);
        }
      }
    }
  }

  /** Writes rows of neighbouring lines. */
  <A> void store(Codec<A> codec, A rows, int count, int lineCount, Operand out, long at) {
    int width = width(lineCount);
    long step = inside[OUT];
    long next = positions.step(OUT);
    if (next == width * step) {
      codec.store(rows, 0, count * width, out.memory(), at, step);
      return;
    }
    for (int row = 0; row < count; row++) {
      int first = row * width;
      codec.store(rows, first, first + width, out.memory(), at + row * next, step);
    }
  }
}
