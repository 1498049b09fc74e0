package org.relaxvm.interoprelay.proposal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/**
 * Packed functions of tests: element by element on compact host tensors of int64 or float32, with
 * the output last. An operand with one element serves for all elements.
 */
public final class RelayTestFunctions {
  private static final Map<String, PackedFunc> ALL =
      Map.ofEntries(
          Map.entry("add", binary(Long::sum, Double::sum)),
          Map.entry("sub", binary((a, b) -> a - b, (a, b) -> a - b)),
          Map.entry("mul", binary((a, b) -> a * b, (a, b) -> a * b)),
          Map.entry("max", binary(Math::max, Math::max)),
          Map.entry("plus_one", unary((a, _) -> a + 1, (a, _) -> a + 1)),
          Map.entry("minus_one", unary((a, _) -> a - 1, (a, _) -> a - 1)),
          Map.entry("negate", unary((a, _) -> -a, (a, _) -> -a)),
          Map.entry("less", RelayTestFunctions::less),
          Map.entry("is_zero", RelayTestFunctions::isZero),
          Map.entry("sum_and_difference", RelayTestFunctions::sumAndDifference),
          Map.entry("first_element", RelayTestFunctions::firstElement),
          Map.entry("number_minus_one", RelayTestFunctions::numberMinusOne));

  private RelayTestFunctions() {}

  /** A function by its name. */
  public static Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  /** All functions by their names. */
  public static Map<String, PackedFunc> all() {
    return ALL;
  }

  private static PackedFunc binary(LongBinaryOperator onLongs, DoubleBinaryOperator onFloats) {
    return (args, _) -> {
      args.requireCount("a binary test function(a, b, out)", 3);
      compute(args.tensorAt(0), args.tensorAt(1), args.tensorAt(2), onLongs, onFloats);
    };
  }

  private static PackedFunc unary(LongBinaryOperator onLongs, DoubleBinaryOperator onFloats) {
    return (args, _) -> {
      args.requireCount("a unary test function(a, out)", 2);
      compute(args.tensorAt(0), args.tensorAt(0), args.tensorAt(1), onLongs, onFloats);
    };
  }

  private static void compute(
      Tensor first,
      Tensor second,
      Tensor out,
      LongBinaryOperator onLongs,
      DoubleBinaryOperator onFloats) {
    int count = (int) out.elementCount();
    if (out.dtype().equals(DType.INT64)) {
      long[] a = first.toLongArray();
      long[] b = second.toLongArray();
      for (int i = 0; i < count; i++) {
        long value = onLongs.applyAsLong(a[i % a.length], b[i % b.length]);
        out.segment().setAtIndex(ValueLayout.JAVA_LONG, i, value);
      }
    } else {
      double[] a = first.toDoubleArray();
      double[] b = second.toDoubleArray();
      for (int i = 0; i < count; i++) {
        float value = (float) onFloats.applyAsDouble(a[i % a.length], b[i % b.length]);
        out.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
      }
    }
  }

  /** Whether the first elements are in order, as a bool of rank 0. */
  private static void less(CallArgs args, CallResult result) {
    args.requireCount("less(a, b, out)", 3);
    double first = args.tensorAt(0).toDoubleArray()[0];
    setBool(args.tensorAt(2), first < args.tensorAt(1).toDoubleArray()[0]);
  }

  private static void isZero(CallArgs args, CallResult result) {
    args.requireCount("is_zero(a, out)", 2);
    setBool(args.tensorAt(1), args.tensorAt(0).toDoubleArray()[0] == 0);
  }

  private static void setBool(Tensor out, boolean value) {
    out.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) (value ? 1 : 0));
  }

  private static void sumAndDifference(CallArgs args, CallResult result) {
    args.requireCount("sum_and_difference(a, b, sum, difference)", 4);
    Tensor a = args.tensorAt(0);
    Tensor b = args.tensorAt(1);
    compute(a, b, args.tensorAt(2), Long::sum, Double::sum);
    compute(a, b, args.tensorAt(3), (x, y) -> x - y, (x, y) -> x - y);
  }

  /** Returns the first element of a tensor as a number. */
  private static void firstElement(CallArgs args, CallResult result) {
    args.requireCount("first_element(a)", 1);
    Tensor tensor = args.tensorAt(0);
    if (tensor.dtype().isFloat()) {
      result.setDouble(tensor.toDoubleArray()[0]);
    } else {
      result.setLong(tensor.toLongArray()[0]);
    }
  }

  /** Returns a number less one. */
  private static void numberMinusOne(CallArgs args, CallResult result) {
    result.setLong(args.longAt(0) - 1);
  }

  /** A tensor on the Java heap, which is made much faster than one of native memory. */
  public static Tensor heapTensor(DType dtype, Shape shape) {
    long words = (dtype.byteSize(shape.elementCount()) + 7) / 8;
    return Tensor.wrap(MemorySegment.ofArray(new long[(int) words]), dtype, shape);
  }

  /** A tensor of int64 with the numbers from a first one on. */
  public static Tensor longs(long first, int count) {
    long[] values = IntStream.range(0, count).mapToLong(i -> first + i).toArray();
    return Tensor.of(values, Shape.of(count));
  }
}
