package org.relaxvm.api.kernels;

/** What an argument of a library kernel is. */
public enum ArgumentRole {
  /** A tensor that is read. */
  INPUT("tensor"),
  /** A tensor that is read, or null. */
  OPTIONAL_INPUT("tensor or null"),
  /** A tuple of tensors that are read; all have the same dtype. */
  INPUT_LIST("tuple of tensors"),
  /** A tensor that is written; its old content is not read. */
  OUTPUT("output tensor"),
  /** An integer. */
  INT("int"),
  /** An integer, or null. */
  OPTIONAL_INT("int or null"),
  /** An integer or a float. */
  NUMBER("int or float"),
  /** An integer or a float, or null. */
  OPTIONAL_NUMBER("int, float or null"),
  /** A boolean; an integer is true when it is not 0. */
  BOOL("bool"),
  /** A string. */
  STRING("string"),
  /** A shape value: a list of integers. */
  SHAPE("shape"),
  /** A shape value, or null. */
  OPTIONAL_SHAPE("shape or null");

  private final String text;

  ArgumentRole(String text) {
    this.text = text;
  }

  /** What documents and messages call it, such as {@code tensor or null}. */
  public String text() {
    return text;
  }

  /** Whether the argument is one tensor, when it is not null. */
  public boolean isTensor() {
    return this == INPUT || this == OPTIONAL_INPUT || this == OUTPUT;
  }
}
