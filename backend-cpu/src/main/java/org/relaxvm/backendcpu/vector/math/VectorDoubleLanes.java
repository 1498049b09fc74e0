package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.SQRT;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Comparison;
import org.relaxvm.backendcpu.element.DoubleLanes;
import org.relaxvm.backendcpu.element.UnaryOp;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.VectorChoice;

/**
 * Arithmetic in double with functions in vector code. What the JIT compiler turns into vector code
 * by itself, such as sums, is inherited.
 */
public final class VectorDoubleLanes extends DoubleLanes {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();
  private static final double[] NOTHING = {};

  // As many lanes as there are doubles.
  private static final VectorSpecies<Integer> INTS =
      VectorSpecies.of(int.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));
  private static final IntVector FALSE = IntVector.zero(INTS);
  private static final IntVector TRUE = IntVector.broadcast(INTS, 1);

  // From here on all doubles are whole numbers; added and taken away, it rounds smaller ones.
  private static final double WHOLE = 0x1p52;

  /** Creates the arithmetic, where {@link VectorChoice} fell on vectors. */
  public VectorDoubleLanes() {}

  @Override
  public void unary(UnaryOp op, double[] a, int count) {
    int whole = SPECIES.loopBound(count);
    if (!vectors(op, a, whole)) {
      super.unary(op, a, count);
    } else if (whole < count) {
      // By the same code: results do not depend on places.
      double[] last = new double[LANES];
      System.arraycopy(a, whole, last, 0, count - whole);
      vectors(op, last, LANES);
      System.arraycopy(last, 0, a, whole, count - whole);
    }
  }

  @Override
  public void binary(BinaryOp op, double[] a, double[] b, int from, int to) {
    switch (op) {
      case POWER -> new DoublePower().apply(a, b, from, to);
      case MOD -> {
        int whole = from + SPECIES.loopBound(to - from);
        for (int i = from; i < whole; i += LANES) {
          if (!DoubleRest.mod(a, b, i)) {
            super.binary(op, a, b, i, i + LANES);
          }
        }
        super.binary(op, a, b, whole, to);
      }
      case FLOOR_MOD -> {
        int whole = from + SPECIES.loopBound(to - from);
        for (int i = from; i < whole; i += LANES) {
          if (!DoubleRest.floorMod(a, b, i)) {
            super.binary(op, a, b, i, i + LANES);
          }
        }
        super.binary(op, a, b, whole, to);
      }
      default -> super.binary(op, a, b, from, to);
    }
  }

  /** Whether there is vector code. */
  static boolean hasVectors(UnaryOp op) {
    return vectors(op, NOTHING, 0);
  }

  /** Computes whole vectors; false where there is no vector code. */
  static boolean vectors(UnaryOp op, double[] a, int whole) {
    switch (op) {
      case EXP -> DoubleExp.apply(a, whole);
      case LOG -> DoubleLog.log(a, whole);
      case TANH -> DoubleHyperbolic.tanh(a, whole);
      case SIGMOID -> DoubleSigmoid.sigmoid(a, whole);
      case SILU -> DoubleSigmoid.silu(a, whole);
      case GELU -> DoubleNormal.gelu(a, whole);
      case ERF -> DoubleNormal.erf(a, whole);
      case SIN -> DoubleTrigonometry.sin(a, whole);
      case COS -> DoubleTrigonometry.cos(a, whole);
      case TAN -> DoubleTrigonometry.tan(a, whole);
      case ASIN -> DoubleArc.asin(a, whole);
      case ACOS -> DoubleArc.acos(a, whole);
      case ATAN -> DoubleArc.atan(a, whole);
      case SINH -> DoubleHyperbolic.sinh(a, whole);
      case COSH -> DoubleHyperbolic.cosh(a, whole);
      case ASINH -> DoubleLog.asinh(a, whole);
      case ACOSH -> DoubleLog.acosh(a, whole);
      case ATANH -> DoubleLog.atanh(a, whole);
      case GELU_TANH -> DoubleSigmoid.geluTanh(a, whole);
      case SELU -> DoubleSigmoid.selu(a, whole);
      case SQRT -> sqrt(a, whole);
      case RSQRT -> rsqrt(a, whole);
      case TRUNC -> trunc(a, whole);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void sqrt(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      load(a, i).lanewise(SQRT).intoArray(a, i);
    }
  }

  private static void rsqrt(double[] a, int whole) {
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    for (int i = 0; i < whole; i += LANES) {
      one.div(load(a, i).lanewise(SQRT)).intoArray(a, i);
    }
  }

  private static void trunc(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      DoubleVector x = load(a, i);
      DoubleVector size = x.lanewise(ABS);
      DoubleVector near = size.add(WHOLE).sub(WHOLE);
      DoubleVector down = near.sub(1, near.compare(GT, size));
      LongVector sign = x.reinterpretAsLongs().lanewise(AND, Long.MIN_VALUE);
      DoubleVector signed = down.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
      x.blend(signed, size.compare(LT, WHOLE)).intoArray(a, i);
    }
  }

  @Override
  public void compare(Comparison op, double[] a, double[] b, int[] out, int count) {
    int whole = SPECIES.loopBound(count);
    switch (op) {
      case EQUAL -> equal(a, b, out, whole);
      case NOT_EQUAL -> notEqual(a, b, out, whole);
      case LESS -> less(a, b, out, whole);
      case LESS_EQUAL -> lessOrEqual(a, b, out, whole);
      case GREATER -> less(b, a, out, whole);
      case GREATER_EQUAL -> lessOrEqual(b, a, out, whole);
    }
    if (whole < count) {
      int[] last = new int[count - whole];
      double[] x = Arrays.copyOfRange(a, whole, count);
      super.compare(op, x, Arrays.copyOfRange(b, whole, count), last, last.length);
      System.arraycopy(last, 0, out, whole, last.length);
    }
  }

  private static void equal(double[] a, double[] b, int[] out, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      VectorMask<Double> holds = load(a, i).compare(EQ, load(b, i));
      FALSE.blend(TRUE, holds.cast(INTS)).intoArray(out, i);
    }
  }

  private static void notEqual(double[] a, double[] b, int[] out, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      VectorMask<Double> holds = load(a, i).compare(NE, load(b, i));
      FALSE.blend(TRUE, holds.cast(INTS)).intoArray(out, i);
    }
  }

  private static void less(double[] a, double[] b, int[] out, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      VectorMask<Double> holds = load(a, i).compare(LT, load(b, i));
      FALSE.blend(TRUE, holds.cast(INTS)).intoArray(out, i);
    }
  }

  private static void lessOrEqual(double[] a, double[] b, int[] out, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      VectorMask<Double> holds = load(a, i).compare(LE, load(b, i));
      FALSE.blend(TRUE, holds.cast(INTS)).intoArray(out, i);
    }
  }

  private static DoubleVector load(double[] x, int at) {
    return DoubleVector.fromArray(SPECIES, x, at);
  }
}
