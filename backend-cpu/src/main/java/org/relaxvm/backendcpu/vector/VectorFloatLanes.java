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
      case EXP -> exp(a, whole);
      case LOG -> log(a, whole);
      case SQRT -> sqrt(a, whole);
      case RSQRT -> rsqrt(a, whole);
      case TANH -> tanh(a, whole);
      case SIGMOID -> sigmoid(a, whole);
      case GELU -> gelu(a, whole);
      case SILU -> silu(a, whole);
      case ERF -> erf(a, whole);
      default -> {
        super.unary(op, a, count);
        return;
      }
    }
    if (whole < count) {
      last(op, a, whole, SPECIES.indexInRange(whole, count));
    }
  }

  private static void exp(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatMath.exp(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void log(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatMath.log(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void rsqrt(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatMath.rsqrt(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void tanh(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatMath.tanh(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void sigmoid(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatMath.sigmoid(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /** In three loops, each a method: the JIT compiler gives up where operations are too many. */
  private static void gelu(float[] a, int whole) {
    float[] tails = new float[whole];
    geluFactors(a, tails, whole);
    geluTails(a, tails, whole);
    geluResults(a, tails, whole);
  }

  private static void geluFactors(float[] a, float[] factors, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatMath.geluFactor(FloatVector.fromArray(SPECIES, a, i)).intoArray(factors, i);
    }
  }

  private static void geluTails(float[] a, float[] tails, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatVector factor = FloatVector.fromArray(SPECIES, tails, i);
      FloatMath.geluTail(FloatVector.fromArray(SPECIES, a, i), factor).intoArray(tails, i);
    }
  }

  private static void geluResults(float[] a, float[] tails, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatVector tail = FloatVector.fromArray(SPECIES, tails, i);
      FloatMath.geluOf(FloatVector.fromArray(SPECIES, a, i), tail).intoArray(a, i);
    }
  }

  private static void silu(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatMath.silu(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void erf(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatMath.erf(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void sqrt(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromArray(SPECIES, a, i).lanewise(SQRT).intoArray(a, i);
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
