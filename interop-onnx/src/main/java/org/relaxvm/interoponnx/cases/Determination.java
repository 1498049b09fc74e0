package org.relaxvm.interoponnx.cases;

/** How much of a result follows from a model and its inputs, from all of it to only its type. */
enum Determination {
  /** All elements. */
  ALL,

  /** Each element is the expected one or 0, such as those that dropout leaves. */
  UNLESS_ZERO,

  /** Each element is 0 or 1, such as those of a mask. */
  ZERO_OR_ONE,

  /** The dtype and the shape. */
  TYPE;

  /** The lesser of two. */
  Determination and(Determination other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
