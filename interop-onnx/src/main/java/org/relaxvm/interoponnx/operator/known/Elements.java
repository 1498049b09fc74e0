package org.relaxvm.interoponnx.operator.known;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Arithmetic on elements. What is empty is not known. */
final class Elements {
  private static final int LONGEST = 200;
  private static final long LARGEST_DENOMINATOR = 1L << 40;

  private Elements() {}

  static boolean isReal(Element element) {
    return !(element instanceof Element.Int);
  }

  /** An integer that is known, or empty. */
  static Optional<Long> number(Element element) {
    return element instanceof Element.Int(PrimExpr value) && value instanceof IntImm number
        ? Optional.of(number.value())
        : Optional.empty();
  }

  /** A floating-point number that is known, or empty. */
  static Optional<Double> real(Element element) {
    return element instanceof Element.Real(double value) ? Optional.of(value) : Optional.empty();
  }

  /** An element as an exact quotient, where it is one with a small denominator. */
  static Optional<Element.Ratio> ratio(Element element) {
    return switch (element) {
      case Element.Ratio ratio -> Optional.of(ratio);
      case Element.Int(PrimExpr value) -> Optional.of(new Element.Ratio(value, 1));
      case Element.Real(double value) -> exact(value);
    };
  }

  private static Optional<Element.Ratio> exact(double value) {
    for (long denominator = 1; denominator <= 1 << 20; denominator *= 2) {
      double numerator = value * denominator;
      if (numerator == Math.rint(numerator) && Math.abs(numerator) < 1L << 52) {
        return Optional.of(new Element.Ratio(IntImm.of((long) numerator), denominator));
      }
    }
    return Optional.empty();
  }

  /** An element rounded to a dtype that has fewer numbers. */
  static Element rounded(Element element, DType dtype) {
    return switch (element) {
      case Element.Real(double value) when dtype.equals(DType.FLOAT32) ->
          new Element.Real((float) value);
      case Element.Int(PrimExpr value) when value instanceof IntImm number ->
          Element.of(wrapped(number.value(), dtype));
      default -> element;
    };
  }

  private static long wrapped(long value, DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return value != 0 ? 1 : 0;
    }
    int shift = Long.SIZE - dtype.bits();
    return shift <= 0
        ? value
        : dtype.code() == TypeCode.UINT ? value << shift >>> shift : value << shift >> shift;
  }

  /** Whether tensors of a dtype have such elements, whose expressions are not too long. */
  static boolean isOf(Element element, DType dtype) {
    return switch (element) {
      case Element.Int(PrimExpr value) -> isShort(value);
      case Element.Ratio(PrimExpr numerator, long denominator) ->
          dtype.isFloat() && isShort(numerator);
      case Element.Real real -> dtype.isFloat();
    };
  }

  /**
   * Whether an expression has few parts. Longer ones are computed when the program runs: each step
   * of a model may double them.
   */
  private static boolean isShort(PrimExpr expr) {
    Deque<PrimExpr> open = new ArrayDeque<>(List.of(expr));
    for (int count = 0; !open.isEmpty(); count++) {
      if (count == LONGEST) {
        return false;
      }
      open.addAll(open.pop().operands());
    }
    return true;
  }

  /** The product of denominators; 0 when it is too large. */
  static long denominator(long a, long b) {
    return a > 0 && b > 0 && a <= LARGEST_DENOMINATOR / b ? a * b : 0;
  }

  /** The quotient of quotients, if its denominator is not too large. */
  static Optional<Element> quotient(Element.Ratio dividend, Element.Ratio divisor) {
    long denominator = denominator(dividend.denominator(), ((IntImm) divisor.numerator()).value());
    return denominator == 0
        ? Optional.empty()
        : Optional.of(
            Element.ratio(Exprs.mul(dividend.numerator(), divisor.denominator()), denominator));
  }

  static Element simplified(Element element, Analyzer analyzer) {
    return element instanceof Element.Int(PrimExpr value)
        ? new Element.Int(analyzer.simplify(value))
        : element;
  }

  /** The integer nearest to a value that a dtype has. */
  static long saturated(long value, DType dtype) {
    boolean isUnsigned = dtype.code() == TypeCode.UINT;
    int bits = isUnsigned ? dtype.bits() : dtype.bits() - 1;
    long highest = bits >= Long.SIZE - 1 ? Long.MAX_VALUE : (1L << bits) - 1;
    return Math.clamp(value, isUnsigned ? 0 : -highest - 1, highest);
  }

  /** The integer above or at a quotient. */
  static Element.Int ceil(Element.Ratio ratio) {
    long denominator = ratio.denominator();
    return new Element.Int(
        Exprs.floorDiv(Exprs.add(ratio.numerator(), denominator - 1), denominator));
  }

  /** The integer below or at a quotient. */
  static Element.Int floor(Element.Ratio ratio) {
    return new Element.Int(
        ratio.denominator() == 1
            ? ratio.numerator()
            : Exprs.floorDiv(ratio.numerator(), ratio.denominator()));
  }
}
