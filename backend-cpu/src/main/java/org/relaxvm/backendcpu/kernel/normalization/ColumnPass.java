package org.relaxvm.backendcpu.kernel.normalization;

import java.util.Arrays;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Sweep;

/**
 * Measures and normalizes adjacent lines, in one thread. Statistics are those of columns first:
 * rows need not be looked at across, and few elements are added in float32.
 */
final class ColumnPass<A> {
  private static final long NOWHERE = Long.MIN_VALUE;
  private static final int GAMMA = 1;
  private static final int BETA = 2;
  private static final int OUT = 3;

  private final Normalization plan;
  private final ColumnLayout layout;
  private final Codec<A> codec;
  private final ColumnMath<A> math;
  private final Sweep.Walker places;
  private final A rows;
  private final A means;
  private final A squares;
  private final double[] scales;
  private final A centre;
  private final A scale;
  private final A gammas;
  private final A betas;
  private final boolean oneRow;
  private final Moments columns;
  private long gammasAt = NOWHERE;
  private long betasAt = NOWHERE;
  private int lines;
  private int filled;
  private long rowsBefore;

  ColumnPass(Normalization plan, ColumnLayout layout, Codec<A> codec, ColumnMath<A> math) {
    this.plan = plan;
    this.layout = layout;
    this.codec = codec;
    this.math = math;
    this.places = layout.positions().new Walker();
    int width = layout.widest() * layout.together();
    int all = layout.widest() * layout.atOnce();
    this.rows = math.array(all);
    this.means = math.array(width);
    this.squares = math.array(width);
    this.columns = new Moments(width);
    this.scales = new double[layout.lines().runLength()];
    this.centre = math.array(width);
    this.scale = math.array(width);
    this.oneRow = layout.isConstant(GAMMA) && layout.isConstant(BETA);
    this.gammas = math.array(oneRow ? width : all);
    this.betas = math.array(oneRow ? width : all);
  }

  /**
   * The statistics of neighbouring lines at some of their positions.
   *
   * @param at offsets of the first line, in bytes
   * @param from the first run of positions
   * @param to the first run that does not count
   */
  Moments measure(long[] at, int count, long from, long to) {
    begin(at, count);
    filled = 0;
    rowsBefore = 0;
    Arrays.fill(columns.mean, 0);
    Arrays.fill(columns.squares, 0);
    places.walk(from, to, this::gather);
    int rest = filled % layout.together();
    joinRows(filled / layout.together());
    if (rest > 0) {
      int whole = filled - rest;
      int width = layout.width(lines);
      System.arraycopy(rows, whole * width, rows, 0, rest * width);
      join(1, rest * width);
    }
    return folded(rest);
  }

  private void begin(long[] at, int count) {
    if (count != lines) {
      gammasAt = NOWHERE;
      betasAt = NOWHERE;
    }
    lines = count;
    for (int i = 0; i < at.length; i++) {
      places.origin(i, at[i]);
    }
  }

  private void gather(long[] at, int count) {
    int width = layout.width(lines);
    for (int done = 0; done < count; ) {
      int more = Math.min(count - done, layout.atOnce() - filled);
      long place = at[0] + done * layout.positions().step(0);
      layout.load(codec, plan.x(), 0, place, more, lines, rows, filled * width);
      filled += more;
      done += more;
      if (filled == layout.atOnce()) {
        joinRows(filled / layout.together());
        filled = 0;
      }
    }
  }

  private void joinRows(int count) {
    if (count > 0) {
      join(count, layout.width(lines) * layout.together());
      rowsBefore += count;
    }
  }

  private void join(int count, int width) {
    if (plan.centred()) {
      math.means(rows, count, width, means);
    }
    math.squares(rows, count, width, means, squares);
    double share = count / (double) (rowsBefore + count);
    math.join(means, squares, width, share, rowsBefore * share, columns.mean, columns.squares);
  }

  /**
   * The statistics of lines from those of their columns.
   *
   * @param rest the positions of the last row, which is cut short
   */
  private Moments folded(int rest) {
    Moments result = new Moments(lines);
    int joined = layout.together();
    int size = layout.size();
    result.count = (rowsBefore * joined + rest) * (double) size;
    for (int i = 0; i < joined; i++) {
      double count = rowsBefore + (i < rest ? 1 : 0);
      int start = i * layout.width(lines);
      for (int line = 0; line < lines; line++) {
        double sum = 0;
        for (int j = 0; j < size; j++) {
          sum += columns.mean[start + line * size + j];
        }
        result.mean[line] += sum * count;
      }
    }
    for (int line = 0; line < lines; line++) {
      result.mean[line] /= result.count;
    }
    for (int i = 0; i < joined; i++) {
      double count = rowsBefore + (i < rest ? 1 : 0);
      int start = i * layout.width(lines);
      for (int line = 0; line < lines; line++) {
        double sum = 0;
        for (int j = 0; j < size; j++) {
          int column = start + line * size + j;
          double distance = columns.mean[column] - result.mean[line];
          sum += columns.squares[column] + distance * distance * count;
        }
        result.squares[line] += sum;
      }
    }
    return result;
  }

  /** Normalizes neighbouring lines at some of their positions. Parameters as for measuring. */
  void normalize(long[] at, int count, Moments moments, long from, long to) {
    begin(at, count);
    for (int i = 0; i < count; i++) {
      scales[i] = 1 / Math.sqrt(moments.squares[i] / moments.count + plan.epsilon());
    }
    math.repeat(moments.mean, count, layout.size(), centre);
    math.repeat(scales, count, layout.size(), scale);
    joinPositions(centre);
    joinPositions(scale);
    if (oneRow && at[GAMMA] != gammasAt) {
      layout.load(codec, plan.gamma(), GAMMA, at[GAMMA], 1, count, gammas, 0);
      joinPositions(gammas);
      gammasAt = at[GAMMA];
    }
    if (oneRow && at[BETA] != betasAt) {
      layout.load(codec, plan.beta(), BETA, at[BETA], 1, count, betas, 0);
      joinPositions(betas);
      betasAt = at[BETA];
    }
    places.walk(from, to, this::finish);
  }

  /** Repeats what is the same at all positions, for those that are one row. */
  private void joinPositions(A row) {
    int width = layout.width(lines);
    for (int i = 1; i < layout.together(); i++) {
      System.arraycopy(row, 0, row, i * width, width);
    }
  }

  private void finish(long[] at, int count) {
    layout.load(codec, plan.x(), 0, at[0], count, lines, rows, 0);
    if (!oneRow) {
      layout.load(codec, plan.gamma(), GAMMA, at[GAMMA], count, lines, gammas, 0);
      layout.load(codec, plan.beta(), BETA, at[BETA], count, lines, betas, 0);
    }
    int width = layout.width(lines);
    int row = width * layout.together();
    math.normalize(rows, count * width, row, centre, scale, gammas, betas, oneRow ? 0 : row);
    layout.store(codec, rows, count, lines, plan.out(), at[OUT]);
  }
}
