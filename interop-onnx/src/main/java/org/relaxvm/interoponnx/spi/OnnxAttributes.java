package org.relaxvm.interoponnx.spi;

import java.util.List;
import java.util.Optional;

/**
 * The attributes of a node. Each method throws an {@link
 * org.relaxvm.api.error.InvalidProgramException} when the attribute is of another kind. Immutable.
 */
public interface OnnxAttributes {
  /** Whether there is an attribute. */
  boolean has(String name);

  /** An integer, if there is one. */
  Optional<Long> integer(String name);

  /** An integer, or what it is when it is missing. */
  long integer(String name, long missing);

  /** A float32, if there is one. */
  Optional<Float> real(String name);

  /** A float32, or what it is when it is missing. */
  float real(String name, float missing);

  /** A string, if there is one. */
  Optional<String> string(String name);

  /** A string, or what it is when it is missing. */
  String string(String name, String missing);

  /** Integers, if there are any. */
  Optional<List<Long>> integers(String name);

  /** Numbers, if there are any. */
  Optional<List<Float>> reals(String name);

  /** Strings, if there are any. */
  Optional<List<String>> strings(String name);
}
