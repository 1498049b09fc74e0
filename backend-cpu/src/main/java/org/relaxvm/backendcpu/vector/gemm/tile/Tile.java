package org.relaxvm.backendcpu.vector.gemm.tile;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.Codec;

/**
 * The innermost piece of a matrix product: as many sums as the registers of the machine hold, two
 * vectors wide. All else is about bringing its operands near.
 *
 * <p>Its operands are arrays: rows of the left matrix as they are, and of the right matrix panels
 * as wide as the tile, row after row. Immutable and thread-safe.
 *
 * @param <A> the array type
 */
public abstract class Tile<A> {
  /** Elements of the longest row of the left matrix. */
  public static final int MOST_DEPTH = 1024;

  /**
   * Elements from one left row to the next: a constant, so that one register is enough for the
   * places of all rows. Some cache lines more than the longest row, which spreads rows over the
   * first cache.
   */
  public static final int ROW_STEP = MOST_DEPTH + 5 * 16;

  private final int rows;
  private final int lowRows;
  private final int columns;
  private final Codec<A> codec;

  Tile(int rows, int lowRows, int columns, Codec<A> codec) {
    this.rows = rows;
    this.lowRows = lowRows;
    this.columns = columns;
    this.codec = codec;
  }

  /** Rows of a whole tile. */
  public final int rows() {
    return rows;
  }

  /** Rows of a low tile, for the last rows of a matrix. */
  public final int lowRows() {
    return lowRows;
  }

  /** Rows of the next tile where some are left over: two low tiles take less than a whole one. */
  public final int rowsOf(int left) {
    return Math.min(left, left <= 2 * lowRows ? lowRows : rows);
  }

  /** Columns of a whole tile, which is the width of a panel. */
  public final int columns() {
    return columns;
  }

  /** What multiplies small matrices of the same elements faster; null for nothing. */
  public @Nullable WideTile wide() {
    return null;
  }

  /** The elements that it multiplies and adds. */
  public final Codec<A> codec() {
    return codec;
  }

  /** An array of zeros. */
  public abstract A array(int length);

  /**
   * Multiplies: {@code sums[i * columns() + j] = sum over p of a[aAt + i * ROW_STEP + p] * b[bAt +
   * p * columns() + j]}.
   *
   * <p>The depth is at most {@link #MOST_DEPTH}. There may be fewer rows or columns than {@link
   * #rows()} and {@link #columns()}. What the others would be read from must be inside of the
   * arrays; their sums are without meaning.
   */
  public abstract void multiply(
      A a, int aAt, A b, int bAt, int depth, int rows, int columns, A sums);

  /**
   * Multiplies with a right matrix as it lies in memory, and writes the sums to the output: {@code
   * c[i][j] = sum over p of a[aAt + i * ROW_STEP + p] * b[p][j]}. Places and distances of rows are
   * in bytes, neighbours in a row are neighbours in memory.
   *
   * @param rows {@link #lowRows()} with whole columns, or a multiple of {@link #rows()}: of half
   *     the columns just that
   * @param columns a multiple of {@link #columns()}, or half of that
   */
  public abstract void direct(
      A a,
      int aAt,
      int rows,
      MemorySegment b,
      long bAt,
      long bRow,
      int depth,
      int columns,
      MemorySegment c,
      long cAt,
      long cRow);

  /** Writes sums, or adds them, to rows of neighbouring elements. */
  public abstract void store(
      A sums, int rows, int columns, MemorySegment out, long at, long rowStep, boolean add);

  /** Copies neighbouring elements of the memory into a panel; at most a row of it. */
  public abstract void copyRun(MemorySegment memory, long at, int count, A panel, int panelAt);

  /**
   * Packs a panel whose rows are neighbouring elements in memory; fills it up with zeros.
   *
   * @param at of its first element, in bytes
   * @param columns at most {@link #columns()}
   */
  public abstract void packRows(
      MemorySegment memory, long at, long rowStep, int depth, int columns, A panel, int panelAt);
}
