package org.relaxvm.interoptvm.functions;

import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.DTypeSet;

/**
 * {@code tvm.contrib.sort.*}: outputs come as arguments, before the attributes. What the order is,
 * {@link Order} says; Apache TVM leaves not-a-number open.
 */
final class SortFunctions {
  private static final String PREFIX = "tvm.contrib.sort.";

  private SortFunctions() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        PREFIX + "argsort", SortFunctions::argsort,
        PREFIX + "sort", SortFunctions::sort,
        PREFIX + "topk", SortFunctions::topk,
        PREFIX + "argsort_nms", SortFunctions::argsortNms);
  }

  private static void argsort(CallArgs args, CallResult result) {
    String name = PREFIX + "argsort";
    args.requireCount(name + "(input, output, axis, is_ascend)", 4);
    Tensor input = numbers(name, args);
    int axis = axis(name, args, 2, input.shape());
    Tensor output = indexOutput(name, args, 1, input.shape());
    new Order(args.contextOrNull(), input, axis, args.booleanAt(3)).indices(output);
  }

  private static void sort(CallArgs args, CallResult result) {
    String name = PREFIX + "sort";
    args.requireCount(name + "(input, output, axis, is_ascend)", 4);
    Tensor input = numbers(name, args);
    int axis = axis(name, args, 2, input.shape());
    Tensor output = valueOutput(name, args, input, input.shape());
    new Order(args.contextOrNull(), input, axis, args.booleanAt(3)).values(output);
  }

  private static void topk(CallArgs args, CallResult result) {
    String name = PREFIX + "topk";
    String returned = args.count() == 6 || args.count() == 7 ? args.stringAt(args.count() - 2) : "";
    boolean both = returned.equals("both");
    args.requireCount(
        name
            + "(input, "
            + (both ? "values, indices" : "output")
            + ", k, axis, ret_type, is_ascend)",
        both ? 7 : 6);
    int first = both ? 3 : 2;
    Tensor input = numbers(name, args);
    int axis = axis(name, args, first + 1, input.shape());
    Shape shape = firstOf(name, input.shape(), axis, args, first);
    Order order = new Order(args.contextOrNull(), input, axis, args.booleanAt(first + 3));
    switch (returned) {
      case "both" ->
          order.both(valueOutput(name, args, input, shape), indexOutput(name, args, 2, shape));
      case "values" -> order.values(valueOutput(name, args, input, shape));
      case "indices" -> order.indices(indexOutput(name, args, 1, shape));
      default ->
          throw new CallException(
              ErrorKind.VALUE,
              "argument ret_type cannot be '"
                  + returned
                  + "'\n  expected: both, values or indices");
    }
  }

  /** The shape of the output of topk: k below 1 means all. */
  private static Shape firstOf(String name, Shape input, int axis, CallArgs args, int index) {
    long k = args.longAt(index);
    if (k > input.dim(axis)) {
      throw HostTensors.refusal(
          name,
          index,
          "is k = " + k + ", but axis " + axis + " of shape " + input + " has no so many elements");
    }
    long[] dims = input.toArray();
    dims[axis] = k < 1 ? dims[axis] : k;
    return Shape.of(dims);
  }

  /**
   * Sorts only as many elements of each line as a second tensor says; the indices after them stay.
   */
  private static void argsortNms(CallArgs args, CallResult result) {
    String name = PREFIX + "argsort_nms";
    args.requireCount(name + "(input, sort_num, output, axis, is_ascend)", 5);
    Tensor input = numbers(name, args);
    int axis = axis(name, args, 3, input.shape());
    Tensor counts = HostTensors.input(name, args, 1);
    Tensor output = indexOutput(name, args, 2, input.shape());
    boolean ascending = args.booleanAt(4);
    Lines from = new Lines(input, axis);
    Lines to = new Lines(output, axis);
    if (!counts.dtype().equals(DType.INT32) || counts.elementCount() < from.count()) {
      throw HostTensors.refusal(
          name,
          1,
          "must be int32 with one number for each of "
              + from.count()
              + " lines, but is "
              + counts.dtype()
              + counts.shape());
    }
    int[] wanted = counts(name, counts, from);
    for (int line = 0; line < from.count(); line++) {
      from.goTo(line);
      to.goTo(line);
      Integer[] order = Order.ofLine(from, wanted[line], ascending);
      for (int i = 0; i < to.length(); i++) {
        to.put(i, i < order.length ? order[i].longValue() : i);
      }
    }
  }

  private static int[] counts(String name, Tensor counts, Lines lines) {
    long[] values = counts.toLongArray();
    int[] wanted = new int[Math.toIntExact(lines.count())];
    for (int i = 0; i < wanted.length; i++) {
      if (values[i] > lines.length()) {
        throw HostTensors.refusal(
            name,
            1,
            "asks for "
                + values[i]
                + " elements of line "
                + i
                + ", but a line has "
                + lines.length());
      }
      wanted[i] = (int) Math.max(0, values[i]);
    }
    return wanted;
  }

  private static Tensor numbers(String name, CallArgs args) {
    Tensor input = HostTensors.input(name, args, 0);
    if (!DTypeSet.NUMBERS.contains(input.dtype())) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot sort a tensor of " + input.dtype() + "\n  expected: " + DTypeSet.NUMBERS.text());
    }
    return input;
  }

  private static int axis(String name, CallArgs args, int index, Shape shape) {
    long axis = args.longAt(index);
    long counted = axis < 0 ? axis + shape.rank() : axis;
    if (counted < 0 || counted >= shape.rank()) {
      throw HostTensors.refusal(
          name, index, "is axis " + axis + ": Axis out of boundary for input ndim " + shape.rank());
    }
    return (int) counted;
  }

  private static Tensor valueOutput(String name, CallArgs args, Tensor input, Shape shape) {
    Tensor output = shaped(name, args, 1, shape);
    if (!output.dtype().equals(input.dtype())) {
      throw HostTensors.refusal(
          name, 1, "must be " + input.dtype() + " as the input, but is " + output.dtype());
    }
    return output;
  }

  private static Tensor indexOutput(String name, CallArgs args, int index, Shape shape) {
    Tensor output = shaped(name, args, index, shape);
    DType dtype = output.dtype();
    boolean holdsIndices =
        DTypeSet.INDICES.contains(dtype)
            || DTypeSet.BYTES.contains(dtype)
            || dtype.equals(DType.FLOAT32)
            || dtype.equals(DType.FLOAT64);
    if (!holdsIndices) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot give the result of a sort as "
              + dtype
              + "\n  expected: int32, int64, float32, float64, int8 or uint8");
    }
    return output;
  }

  private static Tensor shaped(String name, CallArgs args, int index, Shape shape) {
    Tensor output = HostTensors.output(name, args, index);
    if (!output.shape().equals(shape)) {
      throw HostTensors.refusal(
          name, index, "must have shape " + shape + ", but has " + output.shape());
    }
    return output;
  }
}
