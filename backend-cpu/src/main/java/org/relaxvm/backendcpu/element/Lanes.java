package org.relaxvm.backendcpu.element;

import org.jspecify.annotations.Nullable;

/**
 * Arithmetic on arrays of one kind. All operands of a method are indexed alike, so that the JIT
 * compiler sees independent iterations and uses vector instructions.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <A> the array type
 */
public abstract class Lanes<A> {
  /** The arithmetic in double that goes with this one. */
  public Lanes<double[]> doubles() {
    return DoubleLanes.INSTANCE;
  }

  /** The arithmetic modulo 2^32 that goes with this one. */
  public Lanes<int[]> ints() {
    return IntLanes.INSTANCE;
  }

  /**
   * The arithmetic modulo 2^64 that goes with this one.
   *
   * @param unsigned whether it is that of uint64
   */
  public Lanes<long[]> longs(boolean unsigned) {
    return unsigned ? LongLanes.UNSIGNED : LongLanes.SIGNED;
  }

  /**
   * The arithmetic in memory, on elements of the kind that the arrays hold; null where there is
   * none.
   */
  public @Nullable MemoryLanes memory() {
    return null;
  }

  /** A new array of zeros. */
  public abstract A array(int length);

  /** New arrays of zeros. */
  public abstract A[] arrays(int count, int length);

  /** Sets elements; integers get the truncated value. */
  public abstract void fill(A into, int from, int to, double value);

  /** {@code a[i] = a[i] op b[i]}. */
  public abstract void binary(BinaryOp op, A a, A b, int from, int to);

  /** {@code out[i] = a[i] op b[i] ? 1 : 0}. */
  public abstract void compare(Comparison op, A a, A b, int[] out, int count);

  /** {@code a[i] = op(a[i])}. */
  public abstract void unary(UnaryOp op, A a, int count);

  /** Folds elements into one: {@code into[at] = into[at] op x[0] op x[1] ...}. */
  public abstract void fold(BinaryOp op, A into, int at, A x, int count);

  /** A row of a matrix product: {@code c[j] += sum over p of a[p] * rows[p][j]}. */
  public abstract void multiplyAdd(A c, A a, int depth, A[] rows, int count);
}
