package org.relaxvm.interoprelay.random;

import java.util.List;

/** The type of a register in a random program. */
sealed interface RandomType {
  /** A tensor of int64 of rank 0. */
  record Scalar() implements RandomType {}

  /** A tensor of float32 with four elements. */
  record Vector() implements RandomType {}

  /** A tensor of bool of rank 0. */
  record Truth() implements RandomType {}

  /** An integer that is no tensor. */
  record Number() implements RandomType {}

  /** Either {@code 0[]} or {@code 1[scalar, list]}. */
  record ScalarList() implements RandomType {}

  /** One of the tags 0 to 2, with a scalar and a vector. */
  record Variant() implements RandomType {}

  /** A plain tuple. */
  record Product(List<RandomType> fields) implements RandomType {}

  /** A closure that takes one scalar and gives a value. */
  record ScalarFunction(RandomType result) implements RandomType {}

  RandomType SCALAR = new Scalar();
  RandomType VECTOR = new Vector();
  RandomType TRUTH = new Truth();
  RandomType NUMBER = new Number();
  RandomType LIST = new ScalarList();
  RandomType VARIANT = new Variant();

  /** Whether values can be compared, which is not so for closures. */
  default boolean isData() {
    return switch (this) {
      case ScalarFunction _ -> false;
      case Product product -> product.fields().stream().allMatch(RandomType::isData);
      default -> true;
    };
  }
}
