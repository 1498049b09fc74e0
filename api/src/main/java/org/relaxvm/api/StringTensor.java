package org.relaxvm.api;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Strings in a shape. Programs hold them as a tuple: the shape, then the strings in row-major
 * order.
 *
 * <pre>{@code
 * Tuple words = StringTensor.of("red", "green").toTuple();
 * try (Value result = vm.function("main").call(words)) {
 *   List<String> upper = StringTensor.of(result.asTuple()).elements();
 * }
 * }</pre>
 *
 * <p>Immutable; thread-safe.
 *
 * @param elements as many as the shape says
 */
public record StringTensor(Shape shape, List<String> elements) {
  /**
   * Copies the list.
   *
   * @throws CallException a {@code ValueError} when there are more or fewer strings than the shape
   *     says
   */
  public StringTensor {
    elements = List.copyOf(elements);
    if (elements.size() != shape.elementCount()) {
      throw new CallException(
          ErrorKind.VALUE,
          "the shape "
              + shape
              + " has "
              + shape.elementCount()
              + " elements, but got "
              + elements.size()
              + " strings");
    }
  }

  /** Strings on one axis. */
  public static StringTensor of(String... elements) {
    return new StringTensor(Shape.of(elements.length), List.of(elements));
  }

  /**
   * The strings that a program holds.
   *
   * @throws CallException a {@code TypeError} when the value is no such tuple
   */
  public static StringTensor of(@Nullable Object value) {
    if (!(value instanceof Tuple tuple)
        || tuple.size() == 0
        || !(tuple.get(0) instanceof Shape shape)) {
      throw wrong(value);
    }
    List<String> elements = new ArrayList<>(tuple.size() - 1);
    for (int i = 1; i < tuple.size(); i++) {
      if (!(tuple.get(i) instanceof String element)) {
        throw wrong(value);
      }
      elements.add(element);
    }
    return new StringTensor(shape, elements);
  }

  private static CallException wrong(@Nullable Object value) {
    return new CallException(
        ErrorKind.TYPE,
        "expected strings, a tuple of a shape and of as many strings, but got "
            + (value instanceof Tuple ? String.valueOf(value) : TypeKeys.describe(value))
            + "\n  what to do: make the value with StringTensor.toTuple()");
  }

  /** The value that a program takes. It holds no memory of a device and need not be closed. */
  public Tuple toTuple() {
    Object[] fields = new Object[elements.size() + 1];
    fields[0] = shape;
    for (int i = 0; i < elements.size(); i++) {
      fields[i + 1] = elements.get(i);
    }
    return Tuple.ofOwned(fields);
  }
}
