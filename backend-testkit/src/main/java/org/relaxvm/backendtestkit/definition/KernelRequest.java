package org.relaxvm.backendtestkit.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.KernelSignature;

/**
 * A call of a library kernel: its arguments by name, tensors as operands. Immutable; may be used
 * after the call returned, as far as its operands may.
 */
public final class KernelRequest {
  private final KernelSignature signature;
  private final List<@Nullable Object> arguments;

  private KernelRequest(KernelSignature signature, List<@Nullable Object> arguments) {
    this.signature = signature;
    this.arguments = arguments;
  }

  /**
   * Takes the arguments of a call.
   *
   * @param operandOf how tensors are read
   * @throws CallException a {@code TypeError} when number, kinds or dtypes do not fit the signature
   */
  public static KernelRequest of(
      KernelSignature signature, CallArgs args, Function<? super Tensor, Operand> operandOf) {
    signature.check(args);
    List<@Nullable Object> arguments = new ArrayList<>();
    for (int i = 0; i < args.count(); i++) {
      Object value = args.at(i);
      if (value instanceof Tensor tensor) {
        arguments.add(operandOf.apply(tensor));
      } else if (value instanceof Tuple tuple) {
        List<Operand> fields = new ArrayList<>();
        for (int field = 0; field < tuple.size(); field++) {
          fields.add(operandOf.apply((Tensor) Objects.requireNonNull(tuple.get(field))));
        }
        arguments.add(fields);
      } else {
        arguments.add(value);
      }
    }
    return new KernelRequest(signature, arguments);
  }

  /** The row of the table that is called. */
  public KernelSignature signature() {
    return signature;
  }

  /** The output. */
  public Operand out() {
    return operand("out");
  }

  Operand operand(String name) {
    return (Operand) Objects.requireNonNull(at(name));
  }

  @Nullable Operand operandOrNull(String name) {
    return (Operand) at(name);
  }

  List<Operand> operands(String name) {
    List<Operand> operands = new ArrayList<>();
    for (Object field : (List<?>) Objects.requireNonNull(at(name))) {
      operands.add((Operand) Objects.requireNonNull(field));
    }
    return operands;
  }

  long integer(String name) {
    return at(name) instanceof Boolean flag ? (flag ? 1 : 0) : (Long) number(name);
  }

  boolean flag(String name) {
    return integer(name) != 0;
  }

  /** A long or a double. */
  Number number(String name) {
    return Objects.requireNonNull(numberOrNull(name));
  }

  @Nullable Number numberOrNull(String name) {
    return at(name) instanceof Boolean flag ? Long.valueOf(flag ? 1 : 0) : (Number) at(name);
  }

  String string(String name) {
    return (String) Objects.requireNonNull(at(name));
  }

  @Nullable Shape shapeOrNull(String name) {
    return (Shape) at(name);
  }

  boolean isNull(String name) {
    return at(name) == null;
  }

  /** The numbers of a shape value. */
  long[] list(String name) {
    return ((Shape) Objects.requireNonNull(at(name))).toArray();
  }

  /** A shape of so many numbers, each at least {@code least}. */
  long[] numbers(String name, int count, long least) {
    Shape shape = (Shape) Objects.requireNonNull(at(name));
    boolean fits = shape.rank() == count;
    for (int i = 0; fits && i < count; i++) {
      fits = shape.dim(i) >= least;
    }
    require(fits, name, count + " numbers of at least " + least);
    return shape.toArray();
  }

  /** An axis of an operand, which may count from the end. */
  int axis(String name, int rank) {
    long axis = integer(name);
    require(axis >= -rank && axis < rank, name, "an axis from " + -rank + " to " + (rank - 1));
    return (int) (axis < 0 ? axis + rank : axis);
  }

  /** Refuses the output unless it has a shape. */
  void requireOut(long... dims) {
    require(out().shape().equals(Shape.of(dims)), "out", "shape " + Shape.of(dims));
  }

  /** Refuses an argument unless a condition holds. */
  void require(boolean condition, String name, String expected) {
    if (!condition) {
      Object got = at(name);
      throw new CallException(
          ErrorKind.VALUE,
          signature.name()
              + ": argument #"
              + signature.indexOf(name)
              + " '"
              + name
              + "' must be "
              + expected
              + " but is "
              + (got instanceof Operand operand ? "shape " + operand.shape() : got));
    }
  }

  private @Nullable Object at(String name) {
    return arguments.get(signature.indexOf(name));
  }
}
