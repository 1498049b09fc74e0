package org.relaxvm.backendcpu.vector;

import static jdk.incubator.vector.VectorOperators.SQRT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.FloatLanes;
import org.relaxvm.backendcpu.element.UnaryOp;

/**
 * Arithmetic in float with functions in vector code. What the JIT compiler turns into vector code
 * by itself, such as sums, is inherited.
 *
 * <p>Each function has a loop of its own: a loop shared by several would call them through a table
 * and make an object of every vector.
 */
public final class VectorFloatLanes extends FloatLanes {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();

  /** Creates the arithmetic, where {@link VectorChoice} fell on vectors. */
  public VectorFloatLanes() {}

  @Override
  public void unary(UnaryOp op, float[] a, int count) {
    int whole = SPECIES.loopBound(count);
    switch (op) {
      case EXP -> {
        for (int i = 0; i < whole; i += LANES) {
          FloatMath.exp(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
        }
      }
      case LOG -> {
        for (int i = 0; i < whole; i += LANES) {
          FloatMath.log(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
        }
      }
      case SQRT -> {
        for (int i = 0; i < whole; i += LANES) {
          FloatVector.fromArray(SPECIES, a, i).lanewise(SQRT).intoArray(a, i);
        }
      }
      case RSQRT -> {
        for (int i = 0; i < whole; i += LANES) {
          FloatMath.rsqrt(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
        }
      }
      case TANH -> {
        for (int i = 0; i < whole; i += LANES) {
          FloatMath.tanh(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
        }
      }
      case SIGMOID -> {
        for (int i = 0; i < whole; i += LANES) {
          FloatMath.sigmoid(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
        }
      }
      case GELU -> {
        for (int i = 0; i < whole; i += LANES) {
          FloatMath.gelu(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
        }
      }
      case SILU -> {
        for (int i = 0; i < whole; i += LANES) {
          FloatMath.silu(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
        }
      }
      case ERF -> {
        for (int i = 0; i < whole; i += LANES) {
          FloatMath.erf(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
        }
      }
      default -> {
        super.unary(op, a, count);
        return;
      }
    }
    if (whole < count) {
      last(op, a, whole, SPECIES.indexInRange(whole, count));
    }
  }

  /** The elements that do not fill a vector, by the same code: results do not depend on places. */
  private static void last(UnaryOp op, float[] a, int from, VectorMask<Float> mask) {
    FloatVector x = FloatVector.fromArray(SPECIES, a, from, mask);
    FloatVector y =
        switch (op) {
          case EXP -> FloatMath.exp(x);
          case LOG -> FloatMath.log(x);
          case SQRT -> x.lanewise(SQRT);
          case RSQRT -> FloatMath.rsqrt(x);
          case TANH -> FloatMath.tanh(x);
          case SIGMOID -> FloatMath.sigmoid(x);
          case GELU -> FloatMath.gelu(x);
          case SILU -> FloatMath.silu(x);
          case ERF -> FloatMath.erf(x);
          default -> throw new IllegalArgumentException(op + " has no vector code");
        };
    y.intoArray(a, from, mask);
  }
}
