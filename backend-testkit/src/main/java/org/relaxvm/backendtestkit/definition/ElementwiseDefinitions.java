package org.relaxvm.backendtestkit.definition;

import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.LongUnaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/** Functions of one, two and three elements. */
final class ElementwiseDefinitions {
  private ElementwiseDefinitions() {}

  /** An operation on integers of a dtype. */
  interface IntegerOp {
    long apply(long a, long b, DType dtype);
  }

  static void addTo(Map<String, Definition> all) {
    all.put("add", binary(Double::sum, (a, b, t) -> a + b));
    all.put("subtract", binary((a, b) -> a - b, (a, b, t) -> a - b));
    all.put("multiply", binary((a, b) -> a * b, (a, b, t) -> a * b));
    all.put("divide", binary((a, b) -> a / b, ElementwiseDefinitions::divide));
    all.put("maximum", binary(Math::max, (a, b, t) -> ElementBits.compare(a, b, t) < 0 ? b : a));
    all.put("minimum", binary(Math::min, (a, b, t) -> ElementBits.compare(a, b, t) < 0 ? a : b));
    all.put("power", binary(ElementwiseDefinitions::pow, ElementwiseDefinitions::power));
    all.put("logical_and", binary(Math::min, (a, b, t) -> a & b));
    all.put("logical_or", binary(Math::max, (a, b, t) -> a | b));
    all.put("equal", comparison(false, order -> order == 0));
    all.put("not_equal", comparison(true, order -> order != 0));
    all.put("less", comparison(false, order -> order < 0));
    all.put("less_equal", comparison(false, order -> order <= 0));
    all.put("greater", comparison(false, order -> order > 0));
    all.put("greater_equal", comparison(false, order -> order >= 0));
    unaryFunctions(all);
    all.put("where", ElementwiseDefinitions::where);
    all.put("cast", ElementwiseDefinitions::cast);
  }

  private static void unaryFunctions(Map<String, Definition> all) {
    all.put("negative", unary(x -> -x, x -> -x));
    all.put("abs", ElementwiseDefinitions::abs);
    all.put("exp", floats(Math::exp));
    all.put("log", floats(Math::log));
    all.put("sqrt", floats(Math::sqrt));
    all.put("rsqrt", floats(x -> 1 / Math.sqrt(x)));
    all.put("tanh", floats(Math::tanh));
    all.put("sigmoid", floats(Functions::sigmoid));
    all.put("relu", ElementwiseDefinitions::relu);
    all.put("gelu", floats(Functions::gelu));
    all.put("silu", floats(Functions::silu));
    all.put("erf", floats(Functions::erf));
    all.put("floor", floats(Math::floor));
    all.put("ceil", floats(Math::ceil));
    all.put("round", floats(Math::rint));
    all.put("logical_not", unary(x -> x, x -> 1 - x));
  }

  static Definition binary(DoubleBinaryOperator floats, IntegerOp integers) {
    return request -> {
      Operand a = request.operand("a");
      Operand b = request.operand("b");
      requireBroadcast(request, "a", "b");
      DType dtype = a.dtype();
      return at -> apply(floats, integers, dtype, a.broadcastAt(at), b.broadcastAt(at));
    };
  }

  /** One operation on two elements of a dtype. */
  static long apply(DoubleBinaryOperator floats, IntegerOp integers, DType dtype, long a, long b) {
    if (dtype.isFloat()) {
      return ElementBits.ofDouble(
          floats.applyAsDouble(Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
    }
    return ElementBits.wrap(integers.apply(a, b, dtype), dtype);
  }

  private static Definition comparison(boolean withNan, IntPredicate holds) {
    return request -> {
      Operand a = request.operand("a");
      Operand b = request.operand("b");
      requireBroadcast(request, "a", "b");
      DType dtype = a.dtype();
      return at -> {
        long x = a.broadcastAt(at);
        long y = b.broadcastAt(at);
        if (dtype.isFloat()) {
          double u = Double.longBitsToDouble(x);
          double v = Double.longBitsToDouble(y);
          if (Double.isNaN(u) || Double.isNaN(v)) {
            return withNan ? 1 : 0;
          }
          return holds.test(u == v ? 0 : u < v ? -1 : 1) ? 1 : 0;
        }
        return holds.test(ElementBits.compare(x, y, dtype)) ? 1 : 0;
      };
    };
  }

  static Definition floats(DoubleUnaryOperator function) {
    return unary(function, x -> x);
  }

  static Definition unary(DoubleUnaryOperator floats, LongUnaryOperator integers) {
    return request -> {
      Operand x = source(request);
      if (x.dtype().isFloat()) {
        return at ->
            ElementBits.ofDouble(floats.applyAsDouble(Double.longBitsToDouble(x.broadcastAt(at))));
      }
      return at -> ElementBits.wrap(integers.applyAsLong(x.broadcastAt(at)), x.dtype());
    };
  }

  private static Definition.ElementFunction abs(KernelRequest request) {
    boolean unsigned = ElementBits.isUnsigned(request.operand("x").dtype());
    return unary(Math::abs, unsigned ? x -> x : Math::abs).define(request);
  }

  private static Definition.ElementFunction relu(KernelRequest request) {
    boolean unsigned = ElementBits.isUnsigned(request.operand("x").dtype());
    return unary(x -> Math.max(x, 0), unsigned ? x -> x : x -> Math.max(x, 0)).define(request);
  }

  private static Definition.ElementFunction where(KernelRequest request) {
    Operand condition = request.operand("condition");
    Operand a = request.operand("a");
    Operand b = request.operand("b");
    requireBroadcast(request, "condition", "a", "b");
    return at -> condition.broadcastAt(at) != 0 ? a.broadcastAt(at) : b.broadcastAt(at);
  }

  private static Definition.ElementFunction cast(KernelRequest request) {
    Operand x = source(request);
    DType to = request.out().dtype();
    return at -> ElementBits.convert(x.broadcastAt(at), x.dtype(), to);
  }

  /** The operand {@code x}, which broadcasts to the output. */
  static Operand source(KernelRequest request) {
    Operand x = request.operand("x");
    Shape out = request.out().shape();
    request.require(Indices.broadcasts(x.shape(), out), "x", "a shape that broadcasts to " + out);
    return x;
  }

  private static void requireBroadcast(KernelRequest request, String... inputs) {
    Shape out = request.out().shape();
    boolean[] needed = new boolean[out.rank()];
    for (String input : inputs) {
      Shape shape = request.operand(input).shape();
      request.require(Indices.broadcasts(shape, out), input, "a shape that broadcasts to " + out);
      for (int axis = 0; axis < shape.rank(); axis++) {
        int target = out.rank() - shape.rank() + axis;
        needed[target] |= shape.dim(axis) == out.dim(target);
      }
    }
    for (boolean axis : needed) {
      request.require(axis, "out", "the broadcast shape of the inputs");
    }
  }

  private static long divide(long a, long b, DType dtype) {
    if (b == 0) {
      return 0;
    }
    return ElementBits.isUnsigned(dtype) ? Long.divideUnsigned(a, b) : a / b;
  }

  private static double pow(double a, double b) {
    // C's pow gives 1 where Java's gives NaN.
    return a == 1 || (a == -1 && Double.isInfinite(b)) ? 1 : Math.pow(a, b);
  }

  private static long power(long a, long b, DType dtype) {
    if (b < 0 && !ElementBits.isUnsigned(dtype)) {
      return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
    }
    long result = 1;
    long square = a;
    for (long remaining = b; remaining != 0; remaining >>>= 1) {
      result *= (remaining & 1) != 0 ? square : 1;
      square *= square;
    }
    return result;
  }
}
