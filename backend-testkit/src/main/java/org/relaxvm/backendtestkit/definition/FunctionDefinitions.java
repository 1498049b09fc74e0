package org.relaxvm.backendtestkit.definition;

import static org.relaxvm.backendtestkit.definition.ElementwiseDefinitions.binary;
import static org.relaxvm.backendtestkit.definition.ElementwiseDefinitions.floats;
import static org.relaxvm.backendtestkit.definition.ElementwiseDefinitions.unary;

import java.math.BigInteger;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.DoublePredicate;
import org.relaxvm.api.DType;

/** Remainders, bits, functions of an angle, activations, tests, and functions with parameters. */
final class FunctionDefinitions {
  private FunctionDefinitions() {}

  static void addTo(Map<String, Definition> all) {
    all.put(
        "floor_divide",
        binary((a, b) -> Math.floor(a / b), whole(FunctionDefinitions::floorQuotient)));
    all.put("mod", binary((a, b) -> a % b, whole(BigInteger::remainder)));
    all.put(
        "floor_mod",
        binary(
            (a, b) -> a % b != 0 && Math.signum(a % b) != Math.signum(b) ? a % b + b : a % b,
            whole((a, b) -> a.subtract(floorQuotient(a, b).multiply(b)))));
    all.put("logical_xor", binary((a, b) -> a, (a, b, t) -> a ^ b));
    all.put("bitwise_and", binary((a, b) -> a, (a, b, t) -> a & b));
    all.put("bitwise_or", binary((a, b) -> a, (a, b, t) -> a | b));
    all.put("bitwise_xor", binary((a, b) -> a, (a, b, t) -> a ^ b));
    all.put("left_shift", binary((a, b) -> a, (a, b, t) -> b < 0 || b >= t.bits() ? 0 : a << b));
    all.put("right_shift", binary((a, b) -> a, FunctionDefinitions::rightShift));
    all.put("bitwise_not", unary(x -> x, x -> ~x));
    all.put("trunc", floats(x -> Math.copySign(Math.floor(Math.abs(x)), x)));
    all.put("sign", FunctionDefinitions::sign);
    all.put("square", unary(x -> x * x, x -> x * x));
    functions(all);
    all.put("isnan", test(Double::isNaN));
    all.put("isinf", test(Double::isInfinite));
    all.put("isfinite", test(x -> Math.abs(x) < Double.POSITIVE_INFINITY));
    all.put("clip", FunctionDefinitions::clip);
    all.put("leaky_relu", FunctionDefinitions::leakyRelu);
    all.put("softplus", FunctionDefinitions::softplus);
  }

  private static void functions(Map<String, Definition> all) {
    all.put("sin", floats(Math::sin));
    all.put("cos", floats(Math::cos));
    all.put("tan", floats(Math::tan));
    all.put("asin", floats(Math::asin));
    all.put("acos", floats(Math::acos));
    all.put("atan", floats(Math::atan));
    all.put("sinh", floats(x -> (Math.exp(x) - Math.exp(-x)) / 2));
    all.put("cosh", floats(x -> (Math.exp(x) + Math.exp(-x)) / 2));
    all.put("asinh", floats(x -> Math.signum(x) * Math.log(Math.abs(x) + Math.sqrt(x * x + 1))));
    all.put("acosh", floats(x -> x < 1 ? Double.NaN : Math.log(x + Math.sqrt(x * x - 1))));
    all.put("atanh", floats(x -> Math.log((1 + x) / (1 - x)) / 2));
    all.put(
        "gelu_tanh",
        floats(x -> x / (1 + Math.exp(-2 * Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)))));
    all.put(
        "selu",
        floats(x -> 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * (Math.exp(x) - 1))));
  }

  /** Division in integers without bounds; 0 for one by 0. */
  private static ElementwiseDefinitions.IntegerOp whole(BinaryOperator<BigInteger> op) {
    return (a, b, t) -> b == 0 ? 0 : op.apply(value(a, t), value(b, t)).longValue();
  }

  private static BigInteger value(long bits, DType dtype) {
    BigInteger value = BigInteger.valueOf(bits);
    boolean huge = ElementBits.isUnsigned(dtype) && bits < 0;
    return huge ? value.add(BigInteger.ONE.shiftLeft(Long.SIZE)) : value;
  }

  private static BigInteger floorQuotient(BigInteger a, BigInteger b) {
    BigInteger[] parts = a.divideAndRemainder(b);
    boolean below = parts[1].signum() != 0 && parts[1].signum() != b.signum();
    return below ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }

  private static long rightShift(long a, long b, DType dtype) {
    long count = b < 0 || b >= dtype.bits() ? dtype.bits() : b;
    return value(a, dtype).shiftRight((int) count).longValue();
  }

  private static Definition.ElementFunction sign(KernelRequest request) {
    boolean unsigned = ElementBits.isUnsigned(request.operand("x").dtype());
    return unary(Math::signum, x -> x == 0 ? 0 : x > 0 || unsigned ? 1 : -1).define(request);
  }

  private static Definition test(DoublePredicate holds) {
    return request -> {
      Operand x = ElementwiseDefinitions.source(request);
      return at -> holds.test(Double.longBitsToDouble(x.broadcastAt(at))) ? 1 : 0;
    };
  }

  private static Definition.ElementFunction clip(KernelRequest request) {
    Operand x = ElementwiseDefinitions.source(request);
    DType dtype = x.dtype();
    long least =
        ElementBits.stored(MovementDefinitions.converted(request.number("min"), dtype), dtype);
    long most =
        ElementBits.stored(MovementDefinitions.converted(request.number("max"), dtype), dtype);
    return at -> {
      long bits = x.broadcastAt(at);
      if (dtype.isFloat() && Double.isNaN(Double.longBitsToDouble(bits))) {
        return bits;
      }
      long raised = ElementBits.compare(bits, least, dtype) < 0 ? least : bits;
      return ElementBits.compare(raised, most, dtype) > 0 ? most : raised;
    };
  }

  private static Definition.ElementFunction leakyRelu(KernelRequest request) {
    double alpha = request.number("alpha").doubleValue();
    return floats(x -> x > 0 ? x : alpha * x).define(request);
  }

  private static Definition.ElementFunction softplus(KernelRequest request) {
    double beta = request.number("beta").doubleValue();
    double threshold = request.number("threshold").doubleValue();
    request.require(beta != 0, "beta", "not 0");
    return floats(x -> beta * x > threshold ? x : Math.log(1 + Math.exp(beta * x)) / beta)
        .define(request);
  }
}
