package org.relaxvm.interoprelay.random;

import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Closure;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

/** Results as text with all bits of their tensors, so that those of two engines can be compared. */
public final class ValueText {
  private ValueText() {}

  /** The text of a value; tuples with their tags, closures without what they call. */
  public static String of(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    switch (value) {
      case Tensor tensor -> {
        Tensor host = tensor.toHost();
        byte[] bytes = host.segment().toArray(ValueLayout.JAVA_BYTE);
        text.append(tensor.dtype()).append(tensor.shape()).append(':');
        text.append(HexFormat.of().formatHex(bytes));
      }
      case Tuple tuple -> {
        text.append(tuple.tag()).append('(');
        for (Object field : tuple.fields()) {
          append(text, field);
          text.append(' ');
        }
        text.append(')');
      }
      case Closure _ -> text.append("closure");
      case null, default -> text.append(value);
    }
  }
}
