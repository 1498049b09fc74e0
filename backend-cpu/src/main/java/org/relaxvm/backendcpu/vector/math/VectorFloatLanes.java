package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.SQRT;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Comparison;
import org.relaxvm.backendcpu.element.FloatLanes;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.MemoryLanes;
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
  private static final FloatVector ONE = Species.of(1f);
  private static final IntVector FALSE = Species.of(0);
  private static final IntVector TRUE = Species.of(1);
  // Elements that are computed in float64 at once; a multiple of all vectors' lengths.
  private static final int BLOCK = 256;
  private static final VectorDoubleLanes DOUBLES = new VectorDoubleLanes();
  private static final VectorIntLanes INTS = new VectorIntLanes();
  private static final VectorLongLanes LONGS = new VectorLongLanes(false);
  private static final VectorLongLanes UNSIGNED = new VectorLongLanes(true);

  /** Creates the arithmetic, where {@link VectorChoice} fell on vectors. */
  public VectorFloatLanes() {}

  @Override
  public Lanes<double[]> doubles() {
    return DOUBLES;
  }

  @Override
  public Lanes<int[]> ints() {
    return INTS;
  }

  @Override
  public Lanes<long[]> longs(boolean unsigned) {
    return unsigned ? UNSIGNED : LONGS;
  }

  @Override
  public MemoryLanes memory() {
    return FloatMemory.INSTANCE;
  }

  @Override
  public void unary(UnaryOp op, float[] a, int count) {
    int whole = SPECIES.loopBound(count);
    if (!vectors(op, a, whole)) {
      if (!inDoubles(op, a, count)) {
        super.unary(op, a, count);
      }
    } else if (whole < count) {
      // By the same code: results do not depend on places.
      float[] last = new float[LANES];
      System.arraycopy(a, whole, last, 0, count - whole);
      vectors(op, last, LANES);
      System.arraycopy(last, 0, a, whole, count - whole);
    }
  }

  /**
   * Computes in float64, which leaves almost nothing but the last rounding to be wrong; false where
   * there is no vector code.
   */
  private static boolean inDoubles(UnaryOp op, float[] a, int count) {
    if (!VectorDoubleLanes.hasVectors(op)) {
      return false;
    }
    double[] wide = new double[Math.min(BLOCK, Species.DOUBLE.length() * count)];
    for (int from = 0; from < count; from += BLOCK) {
      int length = Math.min(BLOCK, count - from);
      widen(a, from, wide, length);
      // Up to whole vectors: what is left there of earlier elements is not read.
      int whole = Species.DOUBLE.loopBound(length + Species.DOUBLE.length() - 1);
      VectorDoubleLanes.vectors(op, wide, whole);
      narrow(wide, a, from, length);
    }
    return true;
  }

  private static void widen(float[] from, int start, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[start + i];
    }
  }

  private static void narrow(double[] from, float[] to, int start, int count) {
    for (int i = 0; i < count; i++) {
      to[start + i] = (float) from[i];
    }
  }

  /** Computes whole vectors; false where there is no vector code. */
  private static boolean vectors(UnaryOp op, float[] a, int whole) {
    switch (op) {
      case EXP -> FloatExp.exp(a, whole);
      case LOG -> FloatLog.apply(a, whole);
      case SQRT -> sqrt(a, whole);
      case RSQRT -> rsqrt(a, whole);
      case TANH -> FloatExp.tanh(a, whole);
      case SIGMOID -> FloatExp.sigmoid(a, whole);
      case GELU -> FloatGelu.apply(a, whole);
      case ERF -> FloatErf.apply(a, whole);
      default -> {
        return false;
      }
    }
    return true;
  }

  @Override
  public void binary(BinaryOp op, float[] a, float[] b, int from, int to) {
    switch (op) {
      case POWER -> new FloatPower().apply(a, b, from, to);
      case MOD -> {
        int whole = from + SPECIES.loopBound(to - from);
        for (int i = from; i < whole; i += LANES) {
          if (!FloatRest.mod(a, b, i)) {
            super.binary(op, a, b, i, i + LANES);
          }
        }
        super.binary(op, a, b, whole, to);
      }
      case FLOOR_MOD -> {
        int whole = from + SPECIES.loopBound(to - from);
        for (int i = from; i < whole; i += LANES) {
          if (!FloatRest.floorMod(a, b, i)) {
            super.binary(op, a, b, i, i + LANES);
          }
        }
        super.binary(op, a, b, whole, to);
      }
      default -> super.binary(op, a, b, from, to);
    }
  }

  @Override
  public void compare(Comparison op, float[] a, float[] b, int[] out, int count) {
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
      float[] x = Arrays.copyOfRange(a, whole, count);
      super.compare(op, x, Arrays.copyOfRange(b, whole, count), last, last.length);
      System.arraycopy(last, 0, out, whole, last.length);
    }
  }

  private static void equal(float[] a, float[] b, int[] out, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatVector y = FloatVector.fromArray(SPECIES, b, i);
      VectorMask<Float> holds = FloatVector.fromArray(SPECIES, a, i).compare(EQ, y);
      FALSE.blend(TRUE, holds.cast(Species.INT)).intoArray(out, i);
    }
  }

  private static void notEqual(float[] a, float[] b, int[] out, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatVector y = FloatVector.fromArray(SPECIES, b, i);
      VectorMask<Float> holds = FloatVector.fromArray(SPECIES, a, i).compare(NE, y);
      FALSE.blend(TRUE, holds.cast(Species.INT)).intoArray(out, i);
    }
  }

  private static void less(float[] a, float[] b, int[] out, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatVector y = FloatVector.fromArray(SPECIES, b, i);
      VectorMask<Float> holds = FloatVector.fromArray(SPECIES, a, i).compare(LT, y);
      FALSE.blend(TRUE, holds.cast(Species.INT)).intoArray(out, i);
    }
  }

  private static void lessOrEqual(float[] a, float[] b, int[] out, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatVector y = FloatVector.fromArray(SPECIES, b, i);
      VectorMask<Float> holds = FloatVector.fromArray(SPECIES, a, i).compare(LE, y);
      FALSE.blend(TRUE, holds.cast(Species.INT)).intoArray(out, i);
    }
  }

  private static void rsqrt(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      ONE.div(FloatVector.fromArray(SPECIES, a, i).lanewise(SQRT)).intoArray(a, i);
    }
  }

  private static void sqrt(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromArray(SPECIES, a, i).lanewise(SQRT).intoArray(a, i);
    }
  }
}
