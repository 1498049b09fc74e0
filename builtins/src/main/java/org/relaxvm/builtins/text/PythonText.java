package org.relaxvm.builtins.text;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

/** Values as Python prints them, which is what programs that print were written for. */
public final class PythonText {
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
   */
  public static String of(@Nullable Object value, UnaryOperator<Tensor> toHost) {
    return switch (value) {
      case null -> "None";
      case Boolean bool -> bool ? "True" : "False";
      case Double number -> PythonFloat.repr(number);
      case Tensor tensor -> ArrayText.of(toHost.apply(tensor));
      case Tuple tuple -> {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < tuple.size(); i++) {
          text.append(i == 0 ? "" : ", ").append(of(tuple.get(i), toHost));
        }
        yield text.append(')').toString();
      }
      default -> String.valueOf(value);
    };
  }
}
