package org.relaxvm.tir.library;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.scalar.Scalars;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** The arguments of a call as formulas need them. For one thread. */
final class Operands {
  /** The name of the result. */
  static final String OUT = "out";

  /** A tensor of a call: a field of an argument that is a tuple, else the argument itself. */
  record Source(int argument, int field) {}

  private final LibraryCall call;
  private final CallExtents extents;
  private final boolean flat;
  private final KernelBuilder kernel;
  private final List<Source> sources = new ArrayList<>();

  Operands(LibraryCall call, CallExtents extents, boolean flat) {
    this.call = call;
    this.extents = extents;
    this.flat = flat;
    this.kernel = new KernelBuilder(call.signature().name());
  }

  /** The name of the function, for messages. */
  String function() {
    return call.signature().name();
  }

  /** What the result is made with. */
  KernelBuilder kernel() {
    return kernel;
  }

  /** The tensors that became parameters, in their order. */
  List<Source> sources() {
    return sources;
  }

  /** An input; asked for once. */
  TensorExpr tensor(String name) {
    return input(call.indexOf(name), 0, name);
  }

  /** An input, or null where the call has none; asked for once. */
  @Nullable TensorExpr optional(String name) {
    return isNull(name) ? null : tensor(name);
  }

  /** The fields of an input that is a tuple; asked for once. */
  List<TensorExpr> fields(String name) {
    List<TensorExpr> fields = new ArrayList<>();
    int count = call.tensors(name).size();
    for (int field = 0; field < count; field++) {
      fields.add(input(call.indexOf(name), field, name + field));
    }
    return fields;
  }

  private TensorExpr input(int argument, int field, String name) {
    sources.add(new Source(argument, field));
    Tensor tensor = call.tensors(argument).get(field);
    return kernel.input(name, tensor.dtype(), extents(tensor));
  }

  /** The extents of the output that was given. */
  List<PrimExpr> outShape() {
    return extents(call.output());
  }

  private List<PrimExpr> extents(Tensor tensor) {
    return flat
        ? List.of(extents.of(tensor.elementCount()))
        : Arrays.stream(tensor.shape().toArray()).mapToObj(extents::of).toList();
  }

  /** The dtype of the output that was given. */
  DType outDType() {
    return call.output().dtype();
  }

  /** The shape of a tensor; the values that formulas compare are those of {@link Formula#known}. */
  Shape shapeOf(String name) {
    return call.tensors(name).getFirst().shape();
  }

  boolean isNull(String name) {
    return call.attribute(name) == null;
  }

  /** A boolean. */
  boolean flag(String name) {
    return call.flag(name);
  }

  String text(String name) {
    return (String) Objects.requireNonNull(call.attribute(name));
  }

  /** A number: a Long or a Double. */
  Number number(String name) {
    Object value = Objects.requireNonNull(call.attribute(name));
    return value instanceof Boolean flag ? Long.valueOf(flag ? 1 : 0) : (Number) value;
  }

  long integer(String name) {
    return number(name).longValue();
  }

  /** An integer of which 32 bits do. */
  int count(String name, int least) {
    long value = integer(name);
    require(
        value >= least && value <= Integer.MAX_VALUE,
        name,
        least + " to " + Integer.MAX_VALUE,
        Long.toString(value));
    return (int) value;
  }

  double real(String name) {
    return number(name).doubleValue();
  }

  /** A number as an element of a dtype, converted as {@code relaxvm.cast} does. */
  PrimExpr constant(String name, DType dtype) {
    Number value = number(name);
    if (dtype.equals(DType.BOOL)) {
      return IntImm.of(value.doubleValue() != 0);
    }
    long bits =
        value instanceof Long whole
            ? Scalars.cast(DType.INT64, dtype, whole)
            : Scalars.cast(
                DType.FLOAT64, dtype, Scalars.ofDouble(DType.FLOAT64, value.doubleValue()));
    return dtype.isFloat() ? new FloatImm(dtype, Scalars.toDouble(bits)) : new IntImm(dtype, bits);
  }

  /** The numbers of a shape value. */
  List<Long> numbers(String name) {
    Shape shape = (Shape) Objects.requireNonNull(call.attribute(name));
    return Arrays.stream(shape.toArray()).boxed().toList();
  }

  /** A shape value of so many numbers, each at least {@code least}. */
  List<Long> numbers(String name, int count, long least) {
    List<Long> numbers = numbers(name);
    boolean fits = numbers.size() == count && numbers.stream().allMatch(n -> n >= least);
    require(fits, name, count + " numbers of at least " + least, "" + numbers);
    return numbers;
  }

  /** An axis of a tensor of some rank, counted from the start. */
  int axis(String name, int rank) {
    long axis = integer(name);
    require(
        axis >= -rank && axis < rank,
        name,
        "an axis from " + -rank + " to " + (rank - 1),
        Long.toString(axis));
    return (int) (axis < 0 ? axis + rank : axis);
  }

  /** Distinct axes of a tensor, counted from the start, as they were given; null for null. */
  @Nullable List<Integer> axes(String name, int rank) {
    if (isNull(name)) {
      return null;
    }
    List<Integer> axes = new ArrayList<>();
    for (long given : numbers(name)) {
      long axis = given < 0 ? given + rank : given;
      require(
          axis >= 0 && axis < rank && !axes.contains((int) axis),
          name,
          "distinct axes of a tensor of rank " + rank,
          "" + numbers(name));
      axes.add((int) axis);
    }
    return axes;
  }

  /** Refuses a tensor of less rank. */
  void requireRank(String name, int least) {
    require(
        shapeOf(name).rank() >= least,
        name,
        "a tensor of rank " + least + " or more",
        "shape " + shapeOf(name));
  }

  /** Refuses a tensor of another shape. */
  void requireShape(String name, Shape shape) {
    require(shapeOf(name).equals(shape), name, "shape " + shape, "shape " + shapeOf(name));
  }

  /** Refuses an argument unless a condition holds. */
  void require(boolean condition, String name, String expected, String got) {
    if (!condition) {
      throw call.wrong(name, expected, got);
    }
  }
}
