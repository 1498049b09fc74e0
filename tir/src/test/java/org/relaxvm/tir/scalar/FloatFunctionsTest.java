package org.relaxvm.tir.scalar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Intrinsic;

class FloatFunctionsTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;
  private static final double NAN = Double.NaN;

  /** What each function gives for -infinity, -1, -0, 0, 1, infinity; NaN always gives NaN. */
  private static final Map<Intrinsic, double[]> SPECIAL =
      Map.ofEntries(
          Map.entry(Intrinsic.ACOS, new double[] {NAN, Math.PI, Math.PI / 2, Math.PI / 2, 0, NAN}),
          Map.entry(Intrinsic.ACOSH, new double[] {NAN, NAN, NAN, NAN, 0, INFINITY}),
          Map.entry(Intrinsic.ASIN, new double[] {NAN, -Math.PI / 2, -0.0, 0, Math.PI / 2, NAN}),
          Map.entry(
              Intrinsic.ASINH,
              new double[] {-INFINITY, -0.881373587019543, -0.0, 0, 0.881373587019543, INFINITY}),
          Map.entry(
              Intrinsic.ATAN,
              new double[] {-Math.PI / 2, -Math.PI / 4, -0.0, 0, Math.PI / 4, Math.PI / 2}),
          Map.entry(Intrinsic.ATANH, new double[] {NAN, -INFINITY, -0.0, 0, INFINITY, NAN}),
          Map.entry(
              Intrinsic.COS, new double[] {NAN, 0.5403023058681398, 1, 1, 0.5403023058681398, NAN}),
          Map.entry(
              Intrinsic.COSH,
              new double[] {INFINITY, 1.543080634815244, 1, 1, 1.543080634815244, INFINITY}),
          Map.entry(
              Intrinsic.ERF,
              new double[] {-1, -0.8427007929497149, -0.0, 0, 0.8427007929497149, 1}),
          Map.entry(Intrinsic.EXP, new double[] {0, 1 / Math.E, 1, 1, Math.E, INFINITY}),
          Map.entry(Intrinsic.LOG, new double[] {NAN, NAN, -INFINITY, -INFINITY, 0, INFINITY}),
          Map.entry(Intrinsic.RSQRT, new double[] {NAN, NAN, -INFINITY, INFINITY, 1, 0}),
          Map.entry(
              Intrinsic.SIGMOID,
              new double[] {0, 0.2689414213699951, 0.5, 0.5, 0.7310585786300049, 1}),
          Map.entry(
              Intrinsic.SIN,
              new double[] {NAN, -0.8414709848078965, -0.0, 0, 0.8414709848078965, NAN}),
          Map.entry(
              Intrinsic.SINH,
              new double[] {-INFINITY, -1.1752011936438014, -0.0, 0, 1.1752011936438014, INFINITY}),
          Map.entry(Intrinsic.SQRT, new double[] {NAN, NAN, -0.0, 0, 1, INFINITY}),
          Map.entry(
              Intrinsic.TAN,
              new double[] {NAN, -1.5574077246549023, -0.0, 0, 1.5574077246549023, NAN}),
          Map.entry(
              Intrinsic.TANH,
              new double[] {-1, -0.7615941559557649, -0.0, 0, 0.7615941559557649, 1}),
          Map.entry(Intrinsic.CEIL, new double[] {-INFINITY, -1, -0.0, 0, 1, INFINITY}),
          Map.entry(Intrinsic.FLOOR, new double[] {-INFINITY, -1, -0.0, 0, 1, INFINITY}),
          Map.entry(Intrinsic.NEARBYINT, new double[] {-INFINITY, -1, -0.0, 0, 1, INFINITY}),
          Map.entry(Intrinsic.TRUNC, new double[] {-INFINITY, -1, -0.0, 0, 1, INFINITY}),
          Map.entry(Intrinsic.ABS, new double[] {INFINITY, 1, 0, 0, 1, INFINITY}));

  @Test
  void specialNumbersGiveWhatTheyShouldInEveryDtype() {
    double[] arguments = {-INFINITY, -1, -0.0, 0, 1, INFINITY};
    SPECIAL.forEach(
        (op, results) -> {
          for (DType dtype : AllDTypes.FLOATS) {
            for (int i = 0; i < arguments.length; i++) {
              double got = call(op, dtype, arguments[i]);
              double expected = FloatRounding.round(dtype, results[i]);
              String what = dtype + " " + op.text() + "(" + arguments[i] + ")";
              assertThat(Math.copySign(1, got))
                  .as(what)
                  .isEqualTo(
                      Double.isNaN(expected) ? Math.copySign(1, got) : Math.copySign(1, expected));
              if (Double.isFinite(expected)) {
                assertThat(got).as(what).isCloseTo(expected, within(3 * Math.ulp(expected)));
              } else {
                assertThat(got).as(what).isEqualTo(Double.valueOf(expected));
              }
            }
            assertThat(call(op, dtype, NAN)).as("%s %s(NaN)", dtype, op.text()).isNaN();
          }
        });
  }

  @Test
  void everyFunctionOfOneFloatHasItsSpecialNumbers() {
    for (Intrinsic op : Intrinsic.values()) {
      boolean one = op.arity() == 1;
      boolean floats = op.rule() == Intrinsic.Rule.FLOAT || op.rule() == Intrinsic.Rule.NUMBER;
      assertThat(SPECIAL.containsKey(op)).as(op.text()).isEqualTo(one && floats);
    }
  }

  @Test
  void functionsOfJavaAreThoseOfJava() {
    Map<Intrinsic, DoubleUnaryOperator> functions =
        Map.ofEntries(
            Map.entry(Intrinsic.ACOS, Math::acos),
            Map.entry(Intrinsic.ASIN, Math::asin),
            Map.entry(Intrinsic.ATAN, Math::atan),
            Map.entry(Intrinsic.COS, Math::cos),
            Map.entry(Intrinsic.COSH, Math::cosh),
            Map.entry(Intrinsic.EXP, Math::exp),
            Map.entry(Intrinsic.LOG, Math::log),
            Map.entry(Intrinsic.SIN, Math::sin),
            Map.entry(Intrinsic.SINH, Math::sinh),
            Map.entry(Intrinsic.TAN, Math::tan),
            Map.entry(Intrinsic.TANH, Math::tanh));
    functions.forEach(
        (op, function) -> {
          for (double x : Grid.edges(DType.FLOAT64)) {
            double expected = function.applyAsDouble(x);
            double got = call(op, DType.FLOAT64, x);
            if (Double.isFinite(expected)) {
              assertThat(got)
                  .as("%s(%s)", op.text(), x)
                  .isCloseTo(expected, within(4 * Math.ulp(expected)));
            } else {
              assertThat(got).as("%s(%s)", op.text(), x).isEqualTo(Double.valueOf(expected));
            }
          }
        });
  }

  @Test
  void resultsAreNumbersOfTheDtype() {
    for (DType dtype : AllDTypes.FLOATS) {
      for (Intrinsic op : SPECIAL.keySet()) {
        for (double x : Grid.edges(dtype)) {
          double got = call(op, dtype, x);
          if (Double.isFinite(got) && got != 0) {
            assertThat(got)
                .as("%s %s(%s)", dtype, op.text(), x)
                .isEqualTo(Grid.nearest(dtype, new BigDecimal(got)));
          }
        }
      }
    }
  }

  @Test
  void erfIsWithinItsError() {
    assertAccurate(Intrinsic.ERF, 1e-15, BigFunctions::erf, -6.5, 6.5, 0.0137);
    for (double x : new double[] {1e-300, 1e-20, 1e-8, 1e-3, 1.9999999, 2, 2.0000001, 5.999, 6}) {
      assertError(Intrinsic.ERF, 1e-15, BigFunctions::erf, x);
    }
  }

  @Test
  void sigmoidIsAccurateFarFromZero() {
    assertAccurate(Intrinsic.SIGMOID, 5e-16, BigFunctions::sigmoid, -40, 40, 0.37);
    assertError(Intrinsic.SIGMOID, 5e-16, BigFunctions::sigmoid, -700.5);
    assertThat(call(Intrinsic.SIGMOID, DType.FLOAT64, -1000)).isZero();
    assertThat(call(Intrinsic.SIGMOID, DType.FLOAT64, 1000)).isEqualTo(1);
  }

  @Test
  void inverseHyperbolicFunctionsAreAccurate() {
    assertAccurate(Intrinsic.ASINH, 1e-15, BigFunctions::asinh, -5, 5, 0.073);
    assertAccurate(Intrinsic.ACOSH, 1e-15, BigFunctions::acosh, 1.001, 10, 0.073);
    assertAccurate(Intrinsic.ATANH, 1e-15, BigFunctions::atanh, -0.999, 0.999, 0.0137);
    for (double x : new double[] {1e-12, 1e-5, 1e5, 1e9, 1e100}) {
      assertError(Intrinsic.ASINH, 1e-15, BigFunctions::asinh, x);
      assertError(Intrinsic.ACOSH, 1e-15, BigFunctions::acosh, x + 1);
      assertError(Intrinsic.ATANH, 1e-15, BigFunctions::atanh, 1 / (1 + x));
    }
    assertThat(call(Intrinsic.ACOSH, DType.FLOAT64, -1e10)).isNaN();
    assertThat(call(Intrinsic.ATANH, DType.FLOAT64, 1e300)).isNaN();
    assertThat(call(Intrinsic.ASINH, DType.FLOAT64, Double.MAX_VALUE))
        .isCloseTo(710.4758600739439, within(1e-12));
  }

  @Test
  void floatsAreRoundedToIntegers() {
    double[][] cases = {
      // x, ceil, floor, nearbyint, trunc
      {0.5, 1, 0, 0, 0},
      {1.5, 2, 1, 2, 1},
      {2.5, 3, 2, 2, 2},
      {-0.5, -0.0, -1, -0.0, -0.0},
      {-1.5, -1, -2, -2, -1},
      {-2.5, -2, -3, -2, -2},
      {2.75, 3, 2, 3, 2},
      {-2.75, -2, -3, -3, -2}
    };
    List<Intrinsic> ops =
        List.of(Intrinsic.CEIL, Intrinsic.FLOOR, Intrinsic.NEARBYINT, Intrinsic.TRUNC);
    for (DType dtype : AllDTypes.FLOATS) {
      for (double[] c : cases) {
        for (int i = 0; i < ops.size(); i++) {
          assertThat(Double.doubleToLongBits(call(ops.get(i), dtype, c[0])))
              .as("%s %s(%s)", dtype, ops.get(i).text(), c[0])
              .isEqualTo(Double.doubleToLongBits(c[i + 1]));
        }
      }
    }
  }

  @Test
  void floatsAreTested() {
    for (DType dtype : AllDTypes.FLOATS) {
      for (double x : Grid.edges(dtype)) {
        long bits = Double.doubleToRawLongBits(x);
        assertThat(Scalars.call(Intrinsic.ISNAN, dtype, bits)).isEqualTo(Math.abs(x) >= 0 ? 0 : 1);
        assertThat(Scalars.call(Intrinsic.ISINF, dtype, bits))
            .isEqualTo(Math.abs(x) == INFINITY ? 1 : 0);
        assertThat(Scalars.call(Intrinsic.ISFINITE, dtype, bits))
            .isEqualTo(Math.abs(x) < INFINITY ? 1 : 0);
      }
    }
  }

  @Test
  void powersAreThoseOfC() {
    double[][] cases = {
      {1, NAN, 1},
      {NAN, 0, 1},
      {1, INFINITY, 1},
      {-1, INFINITY, 1},
      {-1, -INFINITY, 1},
      {2, 10, 1024},
      {-2, 3, -8},
      {-2, 0.5, NAN},
      {0, 0, 1},
      {0, -1, INFINITY},
      {4, 0.5, 2},
      {-0.0, -1, -INFINITY},
      {2, INFINITY, INFINITY},
      {0.5, INFINITY, 0},
      {2, NAN, NAN}
    };
    for (DType dtype : AllDTypes.FLOATS) {
      for (double[] c : cases) {
        assertThat(call(Intrinsic.POW, dtype, c[0], c[1]))
            .as("%s pow(%s, %s)", dtype, c[0], c[1])
            .isEqualTo(Double.valueOf(c[2]));
      }
    }
  }

  @Test
  void arcTangentsKnowTheQuadrant() {
    double[][] cases = {
      {0, 1, 0},
      {0, -1, Math.PI},
      {-0.0, -1, -Math.PI},
      {1, 0, Math.PI / 2},
      {-1, 0, -Math.PI / 2},
      {1, 1, Math.PI / 4},
      {-1, -1, -3 * Math.PI / 4},
      {INFINITY, INFINITY, Math.PI / 4},
      {1, NAN, NAN}
    };
    for (DType dtype : AllDTypes.FLOATS) {
      for (double[] c : cases) {
        assertThat(call(Intrinsic.ATAN2, dtype, c[0], c[1]))
            .as("%s atan2(%s, %s)", dtype, c[0], c[1])
            .isEqualTo(Double.valueOf(FloatRounding.round(dtype, c[2])));
      }
    }
  }

  private static void assertAccurate(
      Intrinsic op,
      double limit,
      UnaryOperator<BigDecimal> exact,
      double from,
      double to,
      double step) {
    for (double x = from; x <= to; x += step) {
      assertError(op, limit, exact, x);
    }
  }

  private static void assertError(
      Intrinsic op, double limit, UnaryOperator<BigDecimal> exact, double x) {
    double got = call(op, DType.FLOAT64, x);
    assertThat(BigFunctions.relativeError(got, exact.apply(new BigDecimal(x))))
        .as("relative error of %s(%s) = %s", op.text(), x, got)
        .isLessThan(limit);
  }

  private static double call(Intrinsic op, DType dtype, double x) {
    return Scalars.toDouble(Scalars.call(op, dtype, Double.doubleToRawLongBits(x)));
  }

  private static double call(Intrinsic op, DType dtype, double a, double b) {
    return Scalars.toDouble(
        Scalars.call(op, dtype, Double.doubleToRawLongBits(a), Double.doubleToRawLongBits(b)));
  }
}
