package org.relaxvm.interoponnx.proto;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoponnx.options.OnnxLimits;

/** Counts the fields of a file while it is read. Not thread-safe. */
final class FieldBudget {
  private static final int BYTES_OF_A_FIELD = 32;

  private final long limit;
  private long used;

  /**
   * @param limit fields at most; at most what lists hold
   */
  FieldBudget(long limit) {
    this.limit = Math.min(limit, Integer.MAX_VALUE / 2);
  }

  /** Counts a text by its length. */
  void addText(long bytes) {
    add(bytes / BYTES_OF_A_FIELD);
  }

  void addMessage() {
    add(OnnxLimits.FIELDS_OF_A_MESSAGE);
  }

  void add(long fields) {
    used += fields;
    if (used > limit) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          "the ONNX model has more than "
              + limit
              + " fields in its messages, elements of tensors not included"
              + "\n  what to do: put large lists into tensors, or allow more"
              + " (OnnxLimits.withMaxFields, at most "
              + Integer.MAX_VALUE / 2
              + ")");
    }
  }
}
