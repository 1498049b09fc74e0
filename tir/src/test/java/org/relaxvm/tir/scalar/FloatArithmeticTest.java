package org.relaxvm.tir.scalar;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Intrinsic;

/** Arithmetic of floats against numbers without bounds. */
class FloatArithmeticTest {
  /** Enough for each tie between numbers of at most 32 bits. */
  private static final MathContext DIGITS = new MathContext(250);

  @Test
  void finiteResultsAreTheNearestNumbers() {
    for (DType dtype : AllDTypes.FLOATS) {
      for (BinaryOp op :
          new BinaryOp[] {BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV, BinaryOp.MOD}) {
        for (double a : Grid.edges(dtype)) {
          for (double b : Grid.edges(dtype)) {
            exact(op, dtype, a, b)
                .ifPresent(
                    exact ->
                        assertThat(result(op, dtype, a, b))
                            .as("%s %s %s %s", dtype, a, op, b)
                            .isEqualTo(Grid.nearest(dtype, exact)));
          }
        }
      }
    }
  }

  @Test
  void resultsAreThoseOfJavaWhereJavaHasTheDtype() {
    for (double x : Grid.edges(DType.FLOAT32)) {
      for (double y : Grid.edges(DType.FLOAT32)) {
        float a = (float) x;
        float b = (float) y;
        assertSame(result(BinaryOp.ADD, DType.FLOAT32, x, y), a + b);
        assertSame(result(BinaryOp.SUB, DType.FLOAT32, x, y), a - b);
        assertSame(result(BinaryOp.MUL, DType.FLOAT32, x, y), a * b);
        assertSame(result(BinaryOp.DIV, DType.FLOAT32, x, y), a / b);
        assertSame(result(BinaryOp.MOD, DType.FLOAT32, x, y), a % b);
        assertSame(result(BinaryOp.MIN, DType.FLOAT32, x, y), Math.min(a, b));
        assertSame(result(BinaryOp.MAX, DType.FLOAT32, x, y), Math.max(a, b));
      }
    }
    for (double a : Grid.edges(DType.FLOAT64)) {
      for (double b : Grid.edges(DType.FLOAT64)) {
        assertSame(result(BinaryOp.ADD, DType.FLOAT64, a, b), a + b);
        assertSame(result(BinaryOp.SUB, DType.FLOAT64, a, b), a - b);
        assertSame(result(BinaryOp.MUL, DType.FLOAT64, a, b), a * b);
        assertSame(result(BinaryOp.DIV, DType.FLOAT64, a, b), a / b);
        assertSame(result(BinaryOp.MOD, DType.FLOAT64, a, b), a % b);
        assertSame(result(BinaryOp.FLOOR_DIV, DType.FLOAT64, a, b), Math.floor(a / b));
      }
    }
  }

  @Test
  void floorDivisionRoundsTheQuotientDown() {
    for (DType dtype : AllDTypes.FLOATS.subList(0, 3)) {
      for (double a : Grid.edges(dtype)) {
        for (double b : Grid.edges(dtype)) {
          exact(BinaryOp.DIV, dtype, a, b)
              .ifPresent(
                  exact ->
                      assertThat(result(BinaryOp.FLOOR_DIV, dtype, a, b) + 0.0)
                          .as("%s %s // %s", dtype, a, b)
                          .isEqualTo(Grid.nearest(dtype, exact.setScale(0, RoundingMode.FLOOR))));
        }
      }
      assertThat(result(BinaryOp.FLOOR_DIV, dtype, 1, 0)).isEqualTo(Double.POSITIVE_INFINITY);
      assertThat(result(BinaryOp.FLOOR_DIV, dtype, -1, 0)).isEqualTo(Double.NEGATIVE_INFINITY);
      assertThat(result(BinaryOp.FLOOR_DIV, dtype, 0, 0)).isNaN();
    }
  }

  @Test
  void floorRemainderHasTheSignOfTheDivisor() {
    for (DType dtype : AllDTypes.FLOATS) {
      double infinity = Double.POSITIVE_INFINITY;
      double[][] cases = {
        {7, 3, 1},
        {-7, 3, 2},
        {7, -3, -2},
        {-7, -3, -1},
        {6, 3, 0},
        {-6, 3, -0.0},
        {1, infinity, 1},
        {-1, infinity, infinity},
        {1, -infinity, -infinity},
        {0.5, 2, 0.5},
        {-0.5, 2, 1.5}
      };
      for (double[] c : cases) {
        assertSame(result(BinaryOp.FLOOR_MOD, dtype, c[0], c[1]), c[2]);
      }
      assertThat(result(BinaryOp.FLOOR_MOD, dtype, 1, 0)).isNaN();
      assertThat(result(BinaryOp.FLOOR_MOD, dtype, infinity, 2)).isNaN();
    }
  }

  @Test
  void minimumAndMaximumKeepNanAndOrderZeros() {
    for (DType dtype : AllDTypes.FLOATS) {
      assertThat(result(BinaryOp.MIN, dtype, Double.NaN, 1)).isNaN();
      assertThat(result(BinaryOp.MIN, dtype, 1, Double.NaN)).isNaN();
      assertThat(result(BinaryOp.MAX, dtype, Double.NaN, 1)).isNaN();
      assertThat(result(BinaryOp.MAX, dtype, 1, Double.NaN)).isNaN();
      assertSame(result(BinaryOp.MIN, dtype, 0.0, -0.0), -0.0);
      assertSame(result(BinaryOp.MIN, dtype, -0.0, 0.0), -0.0);
      assertSame(result(BinaryOp.MAX, dtype, 0.0, -0.0), 0.0);
      assertSame(result(BinaryOp.MAX, dtype, -0.0, 0.0), 0.0);
      assertSame(result(BinaryOp.MIN, dtype, 2, -3), -3);
      assertSame(result(BinaryOp.MAX, dtype, 2, -3), 2);
    }
  }

  @Test
  void comparisonsAreThoseOfIeee() {
    for (DType dtype : AllDTypes.FLOATS) {
      for (double a : Grid.edges(dtype)) {
        for (double b : Grid.edges(dtype)) {
          assertThat(holds(BinaryOp.EQ, dtype, a, b)).isEqualTo(a == b);
          assertThat(holds(BinaryOp.NE, dtype, a, b)).isEqualTo(a != b);
          assertThat(holds(BinaryOp.LT, dtype, a, b)).isEqualTo(a < b);
          assertThat(holds(BinaryOp.LE, dtype, a, b)).isEqualTo(a <= b);
          assertThat(holds(BinaryOp.GT, dtype, a, b)).isEqualTo(a > b);
          assertThat(holds(BinaryOp.GE, dtype, a, b)).isEqualTo(a >= b);
        }
      }
    }
  }

  @Test
  void squareRootsAreTheNearestNumbers() {
    for (DType dtype : AllDTypes.FLOATS) {
      for (double x : Grid.edges(dtype)) {
        double root = Scalars.toDouble(Scalars.call(Intrinsic.SQRT, dtype, bits(x)));
        if (x > 0 && Double.isFinite(x)) {
          assertThat(root).isEqualTo(Grid.nearest(dtype, new BigDecimal(x).sqrt(DIGITS)));
        } else {
          assertSame(root, x < 0 ? Double.NaN : x);
        }
      }
    }
  }

  private static Optional<BigDecimal> exact(BinaryOp op, DType dtype, double a, double b) {
    boolean divides = op == BinaryOp.DIV || op == BinaryOp.MOD;
    if (!Double.isFinite(a) || !Double.isFinite(b) || (divides && b == 0)) {
      return Optional.empty();
    }
    BigDecimal x = new BigDecimal(a);
    BigDecimal y = new BigDecimal(b);
    boolean wide = dtype.equals(DType.FLOAT64);
    BigDecimal exact =
        switch (op) {
          case ADD -> x.add(y);
          case SUB -> x.subtract(y);
          case MUL -> x.multiply(y);
          case DIV -> wide ? BigDecimal.ZERO : x.divide(y, DIGITS);
          default -> wide ? BigDecimal.ZERO : x.remainder(y);
        };
    // A zero has a sign that the number does not have.
    return exact.signum() == 0 ? Optional.empty() : Optional.of(exact);
  }

  private static double result(BinaryOp op, DType dtype, double a, double b) {
    return Scalars.toDouble(Scalars.binary(op, dtype, bits(a), bits(b)));
  }

  private static boolean holds(BinaryOp op, DType dtype, double a, double b) {
    return Scalars.binary(op, dtype, bits(a), bits(b)) == 1;
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static void assertSame(double got, double expected) {
    assertThat(Double.doubleToLongBits(got)).isEqualTo(Double.doubleToLongBits(expected));
  }
}
