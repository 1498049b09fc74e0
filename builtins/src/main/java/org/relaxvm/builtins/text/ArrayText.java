package org.relaxvm.builtins.text;

import java.util.Arrays;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;

/**
 * The elements of a host tensor in brackets by axis, columns aligned, as NumPy prints them but for
 * breaks of long lines. Of more than 1000 elements only the first and last three along each axis.
 */
final class ArrayText {
  private static final int SUMMARY_THRESHOLD = 1000;
  private static final int EDGE = 3;

  private final Shape shape;
  private final boolean summarised;
  private int[] positions = new int[SUMMARY_THRESHOLD];
  private int shown;

  private ArrayText(Tensor tensor) {
    this.shape = tensor.shape();
    this.summarised = tensor.elementCount() > SUMMARY_THRESHOLD;
  }

  static String of(Tensor tensor) {
    if (tensor.elementCount() == 0) {
      return "[]";
    }
    ArrayText array = new ArrayText(tensor);
    array.select(0, 0);
    // Only what is shown is formatted, so that it alone decides on the width of a column.
    String[] elements = array.format(tensor);
    StringBuilder text = new StringBuilder();
    array.shown = 0;
    array.append(text, elements, 0);
    return text.toString();
  }

  /** Collects the positions of the elements shown, in row-major order. */
  private void select(int axis, int first) {
    if (axis == shape.rank()) {
      if (shown == positions.length) {
        positions = Arrays.copyOf(positions, 2 * shown);
      }
      positions[shown++] = first;
      return;
    }
    int extent = (int) shape.dim(axis);
    int step = 1;
    for (int inner = axis + 1; inner < shape.rank(); inner++) {
      step *= (int) shape.dim(inner);
    }
    for (int i = 0; i < extent; i = next(i, extent)) {
      select(axis + 1, first + i * step);
    }
  }

  private void append(StringBuilder text, String[] elements, int axis) {
    if (axis == shape.rank()) {
      text.append(elements[shown++]);
      return;
    }
    int extent = (int) shape.dim(axis);
    int inner = shape.rank() - 1 - axis;
    String separator = inner == 0 ? " " : "\n".repeat(inner) + " ".repeat(axis + 1);
    text.append('[');
    for (int i = 0; i < extent; i = next(i, extent)) {
      text.append(i == 0 ? "" : separator);
      if (hasGap(extent) && i == extent - EDGE) {
        text.append("...").append(separator);
      }
      append(text, elements, axis + 1);
    }
    text.append(']');
  }

  private int next(int i, int extent) {
    return hasGap(extent) && i == EDGE - 1 ? extent - EDGE : i + 1;
  }

  private boolean hasGap(int extent) {
    return summarised && extent > 2 * EDGE;
  }

  private String[] format(Tensor tensor) {
    if (tensor.dtype().isFloat()) {
      double[] all = tensor.toDoubleArray();
      double[] values = new double[shown];
      for (int i = 0; i < shown; i++) {
        values[i] = all[positions[i]];
      }
      return FloatColumn.format(values, tensor.dtype().bits() <= 32);
    }
    long[] all = tensor.toLongArray();
    String[] texts = new String[shown];
    for (int i = 0; i < shown; i++) {
      texts[i] = integerText(all[positions[i]], tensor.dtype().code());
    }
    return Columns.padLeft(texts);
  }

  private static String integerText(long value, TypeCode code) {
    return switch (code) {
      case BOOL -> value != 0 ? "True" : "False";
      case UINT -> Long.toUnsignedString(value);
      default -> Long.toString(value);
    };
  }
}
