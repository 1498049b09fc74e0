package org.relaxvm.backendcpu.reduction;

import java.lang.foreign.MemorySegment;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;

/**
 * Folds elements of any distance in arrays, piece by piece.
 *
 * @param <A> the array type of elements
 * @param <R> the array type of results
 */
abstract class ArrayReducer<A, R> implements Reducer<R> {
  private static final int PIECE = 1024;

  final BinaryOp op;
  private final Codec<A> codec;
  private final long elementStep;
  private final A values;

  ArrayReducer(BinaryOp op, Codec<A> codec, long elementStep) {
    this.op = op;
    this.codec = codec;
    this.elementStep = elementStep;
    this.values = codec.lanes().array(PIECE);
  }

  /**
   * Folds a piece of a line into a result.
   *
   * @param first whether the result is the piece's alone
   */
  abstract void line(A values, int from, int to, R results, int at, boolean first);

  /** Makes a row the results. */
  abstract void copy(A values, int count, R results);

  /** Folds a row into the results. */
  abstract void row(A values, int count, R results);

  @Override
  public final void lines(MemorySegment x, long at, long step, int lines, int count, R results) {
    if (step != count * elementStep) {
      for (int i = 0; i < lines; i++) {
        line(x, at + i * step, count, results, i);
      }
      return;
    }
    int together = Math.max(1, PIECE / count);
    for (int first = 0; first < lines; first += together) {
      int last = Math.min(lines, first + together);
      if (together == 1) {
        line(x, at + first * step, count, results, first);
        continue;
      }
      codec.load(x, at + first * step, elementStep, values, 0, (last - first) * count);
      for (int i = first; i < last; i++) {
        int from = (i - first) * count;
        line(values, from, from + count, results, i, true);
      }
    }
  }

  private void line(MemorySegment x, long at, int count, R results, int result) {
    for (int from = 0; from < count; from += PIECE) {
      int length = Math.min(PIECE, count - from);
      codec.load(x, at + from * elementStep, elementStep, values, 0, length);
      line(values, 0, length, results, result, from == 0);
    }
  }

  @Override
  public final void rows(MemorySegment x, long at, long step, int rows, int count, R results) {
    for (int i = 0; i < rows; i++) {
      codec.load(x, at + i * step, elementStep, values, 0, count);
      if (i == 0) {
        copy(values, count, results);
      } else {
        row(values, count, results);
      }
    }
  }
}
