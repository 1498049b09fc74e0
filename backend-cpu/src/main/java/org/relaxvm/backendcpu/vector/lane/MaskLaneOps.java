package org.relaxvm.backendcpu.vector.lane;

import jdk.incubator.vector.VectorMask;

/** Operations on booleans. */
public final class MaskLaneOps {
  private MaskLaneOps() {}

  /** Whether both are true. */
  public static VectorMask<Integer> and(VectorMask<Integer> a, VectorMask<Integer> b) {
    return a.and(b);
  }

  /** Whether one is true. */
  public static VectorMask<Integer> or(VectorMask<Integer> a, VectorMask<Integer> b) {
    return a.or(b);
  }

  /** Whether it is false. */
  public static VectorMask<Integer> not(VectorMask<Integer> a) {
    return a.not();
  }

  /** Whether both are the same. */
  public static VectorMask<Integer> eq(VectorMask<Integer> a, VectorMask<Integer> b) {
    return a.eq(b);
  }

  /** Whether they differ. */
  public static VectorMask<Integer> ne(VectorMask<Integer> a, VectorMask<Integer> b) {
    return a.xor(b);
  }

  /** {@code a} where {@code mask} holds, else {@code b}. */
  public static VectorMask<Integer> select(
      VectorMask<Integer> mask, VectorMask<Integer> a, VectorMask<Integer> b) {
    return mask.and(a).or(b.andNot(mask));
  }

  /** Whether all are true. */
  public static boolean reduceAnd(VectorMask<Integer> a) {
    return a.allTrue();
  }

  /** Whether any is true. */
  public static boolean reduceOr(VectorMask<Integer> a) {
    return a.anyTrue();
  }
}
