package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.SQRT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.FloatLanes;
import org.relaxvm.backendcpu.element.UnaryOp;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.VectorChoice;

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
    if (!vectors(op, a, whole)) {
      super.unary(op, a, count);
    } else if (whole < count) {
      // By the same code: results do not depend on places.
      float[] last = new float[LANES];
      System.arraycopy(a, whole, last, 0, count - whole);
      vectors(op, last, LANES);
      System.arraycopy(last, 0, a, whole, count - whole);
    }
  }

  /** Computes whole vectors; false where there is no vector code. */
  private static boolean vectors(UnaryOp op, float[] a, int whole) {
    switch (op) {
      case EXP -> exp(a, whole);
      case LOG -> log(a, whole);
      case SQRT -> sqrt(a, whole);
      case RSQRT -> rsqrt(a, whole);
      case TANH -> tanh(a, whole);
      case SIGMOID -> sigmoid(a, whole);
      case GELU -> FloatGelu.apply(a, whole);
      case SILU -> silu(a, whole);
      case ERF -> erf(a, whole);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void exp(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatFunctions.exp(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void log(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatFunctions.log(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void rsqrt(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatFunctions.rsqrt(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void tanh(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatFunctions.tanh(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void sigmoid(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatFunctions.sigmoid(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void silu(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatFunctions.silu(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void erf(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatFunctions.erf(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static void sqrt(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromArray(SPECIES, a, i).lanewise(SQRT).intoArray(a, i);
    }
  }
}
