package org.relaxvm.compiler.op.image;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.relaxvm.compiler.op.OpCall;

/** Attributes that name one of several choices. */
final class Choices {
  private Choices() {}

  /** The constant whose name an attribute has in small letters. */
  static <E extends Enum<E>> E of(OpCall call, String attr, E[] values) {
    String text = call.attrs().text(attr).orElseThrow();
    List<E> found = new ArrayList<>();
    for (E value : values) {
      if (text(value).equals(text)) {
        found.add(value);
      }
    }
    if (found.isEmpty()) {
      throw call.error(
          attr
              + " must be one of "
              + Arrays.stream(values).map(Choices::text).collect(Collectors.joining(", "))
              + ", but is \""
              + text
              + "\"");
    }
    return found.getFirst();
  }

  static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
