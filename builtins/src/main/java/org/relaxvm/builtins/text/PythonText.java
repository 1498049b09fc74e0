package org.relaxvm.builtins.text;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Values as Python prints them, which is what programs that print were written for. */
public final class PythonText {
  private static final int MAX_DEPTH = 100;
  private static final int MAX_TUPLE_TEXT = 1 << 22;

  private PythonText() {}

  /** A shape as a Python tuple, such as {@code (2, 3)} or {@code (5,)}. */
  public static String of(Shape shape) {
    StringBuilder text = new StringBuilder("(");
    for (int axis = 0; axis < shape.rank(); axis++) {
      text.append(axis == 0 ? "" : ", ").append(shape.dim(axis));
    }
    return text.append(shape.rank() == 1 ? ",)" : ")").toString();
  }

  /**
   * Any value; tuples are {@code (a, b)}, tensors their elements in brackets by axis.
   *
   * @param toHost brings a tensor whose elements are printed to the host
   * @throws CallException a {@code ValueError} when tuples are nested more than 100 deep, or the
   *     text of one has more than 4,194,304 characters: a program can share fields so that it
   *     doubles with each level
   */
  public static String of(@Nullable Object value, UnaryOperator<Tensor> toHost) {
    if (value instanceof Tuple tuple) {
      StringBuilder text = new StringBuilder();
      append(text, tuple, toHost, 1);
      return text.toString();
    }
    return ofPlain(value, toHost);
  }

  private static void append(
      StringBuilder text, Tuple tuple, UnaryOperator<Tensor> toHost, int depth) {
    if (depth > MAX_DEPTH) {
      throw tooLarge();
    }
    text.append('(');
    for (int i = 0; i < tuple.size(); i++) {
      text.append(i == 0 ? "" : ", ");
      if (tuple.get(i) instanceof Tuple field) {
        append(text, field, toHost, depth + 1);
      } else {
        text.append(ofPlain(tuple.get(i), toHost));
      }
      if (text.length() > MAX_TUPLE_TEXT) {
        throw tooLarge();
      }
    }
    text.append(')');
  }

  private static String ofPlain(@Nullable Object value, UnaryOperator<Tensor> toHost) {
    return switch (value) {
      case null -> "None";
      case Boolean bool -> bool ? "True" : "False";
      case Double number -> PythonFloat.repr(number);
      case Tensor tensor -> ArrayText.of(toHost.apply(tensor));
      default -> String.valueOf(value);
    };
  }

  private static CallException tooLarge() {
    return new CallException(
        ErrorKind.VALUE,
        "a tuple is too large to be printed\n  expected: tuples nested at most "
            + MAX_DEPTH
            + " deep, with a text of at most "
            + MAX_TUPLE_TEXT
            + " characters");
  }
}
