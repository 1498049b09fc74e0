package org.relaxvm.cli.input;

import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Shapes on the command line: extents joined by {@code x}; nothing at all is rank 0. */
final class ShapeText {
  private ShapeText() {}

  static Shape parse(String text) {
    if (text.isEmpty()) {
      return Shape.scalar();
    }
    String[] parts = text.split("x", -1);
    long[] dims = new long[parts.length];
    for (int i = 0; i < parts.length; i++) {
      dims[i] = number(parts[i]);
    }
    return Shape.of(dims);
  }

  static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new CallException(ErrorKind.VALUE, "'" + digits + "' is not an integer of 64 bits", e);
    }
  }
}
