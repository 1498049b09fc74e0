package org.relaxvm.interoponnx.operator.known;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Element-wise operators on known tensors. An operator is computed where all its elements are; a
 * comparison, where symbolic extents decide it.
 */
public final class KnownArithmetic {
  private KnownArithmetic() {}

  /** What two elements give; empty where it is not known. */
  @FunctionalInterface
  private interface Binary {
    Optional<Element> apply(Element a, Element b);
  }

  /** What an element gives; empty where it is not known. */
  @FunctionalInterface
  private interface Unary {
    Optional<Element> apply(Element x);
  }

  private interface Integers {
    PrimExpr apply(PrimExpr a, PrimExpr b);
  }

  private interface Reals {
    double apply(double a, double b);
  }

  // ---------------------------------------------------------------- skeletons

  private static Optional<Operand> binary(NodeContext node, Optional<DType> result, Binary rule) {
    if (node.inputs() == 1) {
      return node.known(0).map(known -> known);
    }
    Optional<Known> total = node.known(0);
    for (int i = 1; i < node.inputs() && total.isPresent(); i++) {
      Known left = total.get();
      total = node.known(i).flatMap(right -> pair(node, left, right, result, rule));
    }
    return total.map(known -> known);
  }

  private static Optional<Known> pair(
      NodeContext node, Known a, Known b, Optional<DType> result, Binary rule) {
    Optional<Shape> shape = KnownShapes.broadcast(a.shape(), b.shape());
    // Before version 7 the second operand may be aligned elsewhere.
    boolean isAligned = node.version() >= 7 || a.shape().equals(b.shape());
    if (shape.isEmpty() || !isAligned) {
      return Optional.empty();
    }
    Known x = KnownShapes.expanded(a, shape.get());
    Known y = KnownShapes.expanded(b, shape.get());
    DType dtype = result.orElse(a.dtype());
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < x.elements().size(); i++) {
      Optional<Element> element = rule.apply(x.elements().get(i), y.elements().get(i));
      if (element.isEmpty() || !Elements.isOf(element.get(), dtype)) {
        return Optional.empty();
      }
      elements.add(finished(node, element.get(), dtype));
    }
    return Optional.of(new Known(dtype, shape.get(), elements));
  }

  private static Element finished(NodeContext node, Element element, DType dtype) {
    return Elements.rounded(Elements.simplified(element, node.analyzer()), dtype);
  }

  private static Optional<Operand> unary(NodeContext node, Unary rule) {
    return node.known(0).flatMap(known -> mapped(node, known, known.dtype(), rule));
  }

  private static Optional<Operand> mapped(NodeContext node, Known x, DType dtype, Unary rule) {
    List<Element> elements = new ArrayList<>();
    for (Element element : x.elements()) {
      Optional<Element> value = rule.apply(element);
      if (value.isEmpty() || !Elements.isOf(value.get(), dtype)) {
        return Optional.empty();
      }
      elements.add(finished(node, value.get(), dtype));
    }
    return Optional.of(new Known(dtype, x.shape(), elements));
  }

  /** Integers by expressions, floating-point numbers by arithmetic. */
  private static Binary numbers(Integers integers, Reals reals) {
    return (a, b) -> {
      if (a instanceof Element.Int(PrimExpr x) && b instanceof Element.Int(PrimExpr y)) {
        return Optional.of(new Element.Int(integers.apply(x, y)));
      }
      Optional<Double> x = Elements.real(a);
      Optional<Double> y = Elements.real(b);
      return x.isPresent() && y.isPresent()
          ? Optional.of(new Element.Real(reals.apply(x.get(), y.get())))
          : Optional.empty();
    };
  }

  // ---------------------------------------------------------------- arithmetic

  /** {@code Add}. */
  public static Optional<Operand> add(NodeContext node) {
    return binary(node, Optional.empty(), quotients(Exprs::add, Double::sum, false));
  }

  /** {@code Sub}. */
  public static Optional<Operand> subtract(NodeContext node) {
    return binary(node, Optional.empty(), quotients(Exprs::sub, (a, b) -> a - b, false));
  }

  /** {@code Mul}. */
  public static Optional<Operand> multiply(NodeContext node) {
    return binary(node, Optional.empty(), quotients(Exprs::mul, (a, b) -> a * b, true));
  }

  /** Numbers, or exact quotients of expressions. */
  private static Binary quotients(Integers integers, Reals reals, boolean isProduct) {
    Binary numbers = numbers(integers, reals);
    return (a, b) -> {
      Optional<Element> known = numbers.apply(a, b);
      if (known.isPresent()) {
        return known;
      }
      Optional<Element.Ratio> x = Elements.ratio(a);
      Optional<Element.Ratio> y = Elements.ratio(b);
      if (x.isEmpty() || y.isEmpty()) {
        return Optional.empty();
      }
      long denominator = Elements.denominator(x.get().denominator(), y.get().denominator());
      if (denominator == 0) {
        return Optional.empty();
      }
      return Optional.of(
          isProduct
              ? Element.ratio(integers.apply(x.get().numerator(), y.get().numerator()), denominator)
              : Element.ratio(
                  integers.apply(
                      Exprs.mul(x.get().numerator(), y.get().denominator()),
                      Exprs.mul(y.get().numerator(), x.get().denominator())),
                  denominator));
    };
  }

  /** {@code Div}, of integers towards 0. */
  public static Optional<Operand> divide(NodeContext node) {
    return binary(node, Optional.empty(), (a, b) -> quotient(node, a, b));
  }

  private static Optional<Element> quotient(NodeContext node, Element a, Element b) {
    if (a instanceof Element.Int(PrimExpr x) && b instanceof Element.Int(PrimExpr y)) {
      if (x instanceof IntImm dividend && y instanceof IntImm divisor) {
        return divisor.value() == 0
            ? Optional.empty()
            : Optional.of(Element.of(dividend.value() / divisor.value()));
      }
      boolean isPositive =
          isProven(node, Exprs.le(IntImm.of(0), x)) && isProven(node, Exprs.lt(IntImm.of(0), y));
      return isPositive ? Optional.of(new Element.Int(Exprs.floorDiv(x, y))) : Optional.empty();
    }
    Optional<Double> x = Elements.real(a);
    Optional<Double> y = Elements.real(b);
    if (x.isPresent() && y.isPresent()) {
      return Optional.of(new Element.Real(x.get() / y.get()));
    }
    return Elements.ratio(b)
        .filter(divisor -> divisor.numerator() instanceof IntImm number && number.value() > 0)
        .flatMap(
            divisor -> Elements.ratio(a).flatMap(dividend -> Elements.quotient(dividend, divisor)));
  }

  private static boolean isProven(NodeContext node, PrimExpr condition) {
    return node.analyzer().canProve(condition);
  }

  /** {@code Mod}. */
  public static Optional<Operand> mod(NodeContext node) {
    boolean truncates = node.attributes().flag("fmod", false);
    return binary(
        node,
        Optional.empty(),
        (a, b) -> {
          Optional<Long> x = Elements.number(a);
          Optional<Long> y = Elements.number(b).filter(divisor -> divisor != 0);
          if (x.isPresent() && y.isPresent()) {
            return Optional.of(
                Element.of(truncates ? x.get() % y.get() : Math.floorMod(x.get(), y.get())));
          }
          return !truncates
                  && y.filter(divisor -> divisor > 0).isPresent()
                  && a instanceof Element.Int(PrimExpr dividend)
              ? Optional.of(new Element.Int(Exprs.floorMod(dividend, y.get())))
              : Optional.empty();
        });
  }

  /** {@code Pow} of constants. */
  public static Optional<Operand> power(NodeContext node) {
    return binary(
        node,
        Optional.empty(),
        (a, b) -> {
          Optional<Double> x = Elements.real(a);
          Optional<Double> exponent =
              Elements.real(b).or(() -> Elements.number(b).map(Long::doubleValue));
          return x.isPresent() && exponent.isPresent()
              ? Optional.of(new Element.Real(Math.pow(x.get(), exponent.get())))
              : Optional.empty();
        });
  }

  /** {@code Min}. */
  public static Optional<Operand> minimum(NodeContext node) {
    return binary(node, Optional.empty(), numbers(Exprs::min, Math::min));
  }

  /** {@code Max}. */
  public static Optional<Operand> maximum(NodeContext node) {
    return binary(node, Optional.empty(), numbers(Exprs::max, Math::max));
  }

  /** {@code Abs}. */
  public static Optional<Operand> abs(NodeContext node) {
    return unary(
        node,
        x ->
            Elements.number(x)
                .map(value -> Element.of(Math.abs(value)))
                .or(() -> Elements.real(x).map(value -> new Element.Real(Math.abs(value)))));
  }

  /** {@code Neg}. */
  public static Optional<Operand> negative(NodeContext node) {
    return unary(
        node,
        x ->
            Optional.of(
                switch (x) {
                  case Element.Int(PrimExpr value) ->
                      new Element.Int(Exprs.sub(IntImm.of(0), value));
                  case Element.Real(double value) -> new Element.Real(-value);
                  case Element.Ratio(PrimExpr numerator, long denominator) ->
                      new Element.Ratio(Exprs.sub(IntImm.of(0), numerator), denominator);
                }));
  }

  /** {@code Floor}. */
  public static Optional<Operand> floor(NodeContext node) {
    return unary(
        node,
        x ->
            x instanceof Element.Ratio ratio
                ? Optional.of(Element.ratio(Elements.floor(ratio).value(), 1))
                : Elements.real(x).map(value -> new Element.Real(Math.floor(value))));
  }

  /** {@code Ceil}. */
  public static Optional<Operand> ceil(NodeContext node) {
    return unary(
        node,
        x ->
            x instanceof Element.Ratio ratio
                ? Optional.of(Element.ratio(Elements.ceil(ratio).value(), 1))
                : Elements.real(x).map(value -> new Element.Real(Math.ceil(value))));
  }

  /** {@code Round}, half to even. */
  public static Optional<Operand> round(NodeContext node) {
    return unary(node, x -> Elements.real(x).map(value -> new Element.Real(Math.rint(value))));
  }

  /** {@code Sqrt}. */
  public static Optional<Operand> sqrt(NodeContext node) {
    return unary(node, x -> Elements.real(x).map(value -> new Element.Real(Math.sqrt(value))));
  }

  // ---------------------------------------------------------------- logic

  /** {@code Equal}. */
  public static Optional<Operand> equal(NodeContext node) {
    return comparison(node, Exprs::eq, (a, b) -> a == b);
  }

  /** {@code Less}. */
  public static Optional<Operand> less(NodeContext node) {
    return comparison(node, Exprs::lt, (a, b) -> a < b);
  }

  /** {@code LessOrEqual}. */
  public static Optional<Operand> lessEqual(NodeContext node) {
    return comparison(node, Exprs::le, (a, b) -> a <= b);
  }

  /** {@code Greater}. */
  public static Optional<Operand> greater(NodeContext node) {
    return comparison(node, (a, b) -> Exprs.lt(b, a), (a, b) -> a > b);
  }

  /** {@code GreaterOrEqual}. */
  public static Optional<Operand> greaterEqual(NodeContext node) {
    return comparison(node, (a, b) -> Exprs.le(b, a), (a, b) -> a >= b);
  }

  private interface RealTest {
    boolean test(double a, double b);
  }

  private static Optional<Operand> comparison(NodeContext node, Integers integers, RealTest reals) {
    return binary(
        node,
        Optional.of(DType.BOOL),
        (a, b) -> {
          if (a instanceof Element.Int(PrimExpr x) && b instanceof Element.Int(PrimExpr y)) {
            return decided(node, integers.apply(x, y));
          }
          Optional<Double> x = Elements.real(a);
          Optional<Double> y = Elements.real(b);
          return x.isPresent() && y.isPresent()
              ? Optional.of(Element.of(reals.test(x.get(), y.get())))
              : Optional.empty();
        });
  }

  private static Optional<Element> decided(NodeContext node, PrimExpr condition) {
    if (isProven(node, condition)) {
      return Optional.of(Element.of(true));
    }
    return isProven(node, Exprs.not(condition)) ? Optional.of(Element.of(false)) : Optional.empty();
  }

  /** {@code And}. */
  public static Optional<Operand> and(NodeContext node) {
    return binary(node, Optional.of(DType.BOOL), longs((a, b) -> a != 0 && b != 0));
  }

  /** {@code Or}. */
  public static Optional<Operand> or(NodeContext node) {
    return binary(node, Optional.of(DType.BOOL), longs((a, b) -> a != 0 || b != 0));
  }

  private interface LongTest {
    boolean test(long a, long b);
  }

  private static Binary longs(LongTest test) {
    return (a, b) -> {
      Optional<Long> x = Elements.number(a);
      Optional<Long> y = Elements.number(b);
      return x.isPresent() && y.isPresent()
          ? Optional.of(Element.of(test.test(x.get(), y.get())))
          : Optional.empty();
    };
  }

  /** {@code Not}. */
  public static Optional<Operand> not(NodeContext node) {
    return unary(node, x -> Elements.number(x).map(value -> Element.of(value == 0)));
  }

  /** {@code Where} with a condition that is known; both values are known, too. */
  public static Optional<Operand> where(NodeContext node) {
    Optional<Known> condition = node.known(0);
    Optional<Known> whenTrue = node.known(1);
    Optional<Known> whenFalse = node.known(2);
    if (condition.isEmpty()
        || whenTrue.isEmpty()
        || whenFalse.isEmpty()
        || !whenTrue.get().dtype().equals(whenFalse.get().dtype())) {
      return Optional.empty();
    }
    Optional<Shape> shape =
        KnownShapes.broadcast(whenTrue.get().shape(), whenFalse.get().shape())
            .flatMap(both -> KnownShapes.broadcast(both, condition.get().shape()));
    Optional<List<Long>> tests =
        shape.flatMap(all -> KnownShapes.expanded(condition.get(), all).longs());
    if (tests.isEmpty()) {
      return Optional.empty();
    }
    Known a = KnownShapes.expanded(whenTrue.get(), shape.orElseThrow());
    Known b = KnownShapes.expanded(whenFalse.get(), shape.orElseThrow());
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < tests.get().size(); i++) {
      elements.add((tests.get().get(i) != 0 ? a : b).elements().get(i));
    }
    return Optional.of(new Known(a.dtype(), shape.orElseThrow(), elements));
  }

  // ---------------------------------------------------------------- conversions

  /** The first input as another dtype. */
  public static Optional<Operand> cast(NodeContext node, DType dtype) {
    return node.known(0)
        .filter(known -> Known.admits(dtype, known.shape()))
        .flatMap(known -> mapped(node, known, dtype, x -> cast(node, x, dtype)));
  }

  private static Optional<Element> cast(NodeContext node, Element x, DType dtype) {
    if (dtype.isFloat()) {
      return Optional.of(x instanceof Element.Int(PrimExpr value) ? Element.ratio(value, 1) : x);
    }
    if (dtype.equals(DType.BOOL)) {
      return Elements.number(x)
          .map(value -> Element.of(value != 0))
          .or(() -> Elements.real(x).map(value -> Element.of(value != 0)));
    }
    return switch (x) {
      case Element.Int integer -> Optional.of(integer);
      case Element.Real(double value) ->
          Math.abs(value) < 1L << 31
              ? Optional.of(Element.of(Elements.saturated((long) value, dtype)))
              : Optional.empty();
      case Element.Ratio ratio -> Optional.of(truncated(node, ratio, dtype));
    };
  }

  private static Element truncated(NodeContext node, Element.Ratio ratio, DType dtype) {
    PrimExpr numerator = ratio.numerator();
    if (numerator instanceof IntImm number) {
      return Element.of(Elements.saturated(number.value() / ratio.denominator(), dtype));
    }
    Element.Int below = Elements.floor(ratio);
    boolean isExact = ratio.denominator() == 1;
    return isExact || isProven(node, Exprs.le(IntImm.of(0), numerator))
        ? below
        : new Element.Int(
            Exprs.select(
                Exprs.lt(numerator, IntImm.of(0)), Elements.ceil(ratio).value(), below.value()));
  }
}
