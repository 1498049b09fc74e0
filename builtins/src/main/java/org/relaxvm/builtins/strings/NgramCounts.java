package org.relaxvm.builtins.strings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * How often sequences of tokens occur in rows of tokens. Between the tokens of an occurrence there
 * may be others, as many each time. Immutable.
 */
public final class NgramCounts {
  private final List<Map<List<Long>, Integer>> pools = new ArrayList<>();
  private final int shortest;
  private final int longest;
  private final int skips;
  private final int size;

  /**
   * Counts of some sequences.
   *
   * @param pool all sequences of one token, then those of two, and so on
   * @param starts where the sequences of each length begin in the pool
   * @param outputs for each sequence the element of the result that counts it
   * @param shortest the number of tokens of sequences that count, at least
   * @param longest the same at most
   * @param skips how many tokens are left out between two of an occurrence, at most
   * @param size the number of elements of the result for a row
   * @throws CallException a {@code ValueError} when the numbers contradict each other
   */
  public NgramCounts(
      long[] pool, long[] starts, long[] outputs, int shortest, int longest, int skips, int size) {
    this.shortest = shortest;
    this.longest = longest;
    this.skips = skips;
    this.size = size;
    int next = 0;
    for (int length = 1; length <= starts.length; length++) {
      long from = starts[length - 1];
      long to = length < starts.length ? starts[length] : pool.length;
      Map<List<Long>, Integer> sequences = new HashMap<>();
      for (long at = from; at < to; at += length, next++) {
        if (from < 0 || at + length > pool.length || next >= outputs.length) {
          throw wrong("sequences of " + length + " tokens at " + at + " do not fit the pool");
        }
        if (outputs[next] < 0 || outputs[next] >= size) {
          throw wrong("there is no element " + outputs[next] + " in a result of " + size);
        }
        sequences.put(boxed(pool, (int) at, length, 1), (int) outputs[next]);
      }
      pools.add(sequences);
    }
  }

  private static CallException wrong(String what) {
    return new CallException(ErrorKind.VALUE, "counts of sequences of tokens: " + what);
  }

  private static List<Long> boxed(long[] tokens, int from, int length, int step) {
    List<Long> sequence = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      sequence.add(tokens[from + i * step]);
    }
    return sequence;
  }

  /** The counts for a row of tokens, or for each row of a matrix, as float32. */
  public Tensor of(Tensor tokens) {
    Shape shape = tokens.shape();
    if (shape.rank() < 1 || shape.rank() > 2) {
      throw wrong("tokens have one or two axes, but are of shape " + shape);
    }
    boolean isMatrix = shape.rank() == 2;
    int rows = isMatrix ? (int) shape.dim(0) : 1;
    int width = (int) shape.dim(shape.rank() - 1);
    long[] all = tokens.toLongArray();
    float[] counts = new float[Math.multiplyExact(rows, size)];
    for (int row = 0; row < rows; row++) {
      count(Arrays.copyOfRange(all, row * width, (row + 1) * width), counts, row * size);
    }
    return Tensor.of(counts, isMatrix ? Shape.of(rows, size) : Shape.of(size));
  }

  private void count(long[] row, float[] counts, int base) {
    for (int length = shortest; length <= Math.min(longest, pools.size()); length++) {
      Map<List<Long>, Integer> sequences = pools.get(length - 1);
      // A single token has nothing to leave out.
      int steps = sequences.isEmpty() ? 0 : length == 1 ? 1 : skips + 1;
      for (int step = 1; step <= steps; step++) {
        for (int at = 0; at + (length - 1) * step < row.length; at++) {
          Integer output = sequences.get(boxed(row, at, length, step));
          if (output != null) {
            counts[base + output]++;
          }
        }
      }
    }
  }
}
