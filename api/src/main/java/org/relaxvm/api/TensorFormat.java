package org.relaxvm.api;

/** A tensor for people: nested brackets, the middle left out where it is long. */
final class TensorFormat {
  // Entries kept at either end of an axis that is shortened.
  private static final int EDGE = 3;

  private final Tensor tensor;
  private final Elements reader;
  private final boolean shortened;
  private final StringBuilder text = new StringBuilder();

  private TensorFormat(Tensor tensor, long maxElements) {
    this.tensor = tensor;
    this.reader = Elements.of(tensor);
    this.shortened = tensor.elementCount() > maxElements;
  }

  static String format(Tensor tensor, long maxElements) {
    if (tensor.elementCount() == 0) {
      return "[]";
    }
    if (!Elements.canRead(tensor.dtype())) {
      return "(elements of " + tensor.dtype() + " cannot be shown)";
    }
    TensorFormat format = new TensorFormat(tensor, maxElements);
    format.append(0, new long[tensor.shape().rank()]);
    return format.text.toString();
  }

  private void append(int axis, long[] index) {
    int rank = index.length;
    if (axis == rank) {
      text.append(element(index));
      return;
    }
    long extent = tensor.shape().dim(axis);
    boolean cut = shortened && extent > 2 * EDGE + 1;
    text.append('[');
    for (long i = 0; i < extent; i++) {
      if (i > 0) {
        separate(axis, rank);
      }
      if (cut && i == EDGE) {
        text.append("...");
        i = extent - EDGE - 1;
        continue;
      }
      index[axis] = i;
      append(axis + 1, index);
    }
    text.append(']');
  }

  private void separate(int axis, int rank) {
    if (axis == rank - 1) {
      text.append(", ");
    } else {
      text.append(",\n").append(" ".repeat(axis + 1));
    }
  }

  private String element(long[] index) {
    DType dtype = tensor.dtype();
    if (dtype.equals(DType.BOOL)) {
      return reader.longAt(index) != 0 ? "true" : "false";
    }
    if (dtype.equals(DType.UINT64)) {
      return Long.toUnsignedString(reader.longAt(index));
    }
    if (dtype.isInteger()) {
      return Long.toString(reader.longAt(index));
    }
    double value = reader.doubleAt(index);
    return dtype.equals(DType.FLOAT64) ? Double.toString(value) : Float.toString((float) value);
  }
}
