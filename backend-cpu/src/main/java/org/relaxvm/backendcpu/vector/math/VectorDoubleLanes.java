package org.relaxvm.backendcpu.vector.math;

import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.BinaryOp;
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
      default -> {
        return false;
      }
    }
    return true;
  }
}
