package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.GT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;

/** Vectors that are made of scalars. */
public final class LaneConstants {
  private static final IntVector IOTA = IntVector.zero(Lanes.INT).addIndex(1);
  private static final IntVector IOTA_HALF = IntVector.zero(Lanes.HALF_INT).addIndex(1);
  private static final LongVector IOTA_LONG = LongVector.zero(Lanes.LONG).addIndex(1);

  private LaneConstants() {}

  /** A full vector of equal numbers. */
  public static FloatVector broadcast(float value) {
    return FloatVector.broadcast(Lanes.FLOAT, value);
  }

  /** A full vector of equal numbers. */
  public static IntVector broadcast(int value) {
    return IntVector.broadcast(Lanes.INT, value);
  }

  /** A full vector of equal booleans. */
  public static VectorMask<Integer> broadcast(boolean value) {
    return Lanes.INT.maskAll(value);
  }

  /** A half vector of equal numbers. */
  public static FloatVector broadcastHalf(float value) {
    return FloatVector.broadcast(Lanes.HALF_FLOAT, value);
  }

  /** A half vector of equal numbers. */
  public static IntVector broadcastHalf(int value) {
    return IntVector.broadcast(Lanes.HALF_INT, value);
  }

  /** A half vector of equal booleans. */
  public static VectorMask<Integer> broadcastHalf(boolean value) {
    return Lanes.HALF_INT.maskAll(value);
  }

  /** A half vector of equal numbers. */
  public static DoubleVector broadcastHalf(double value) {
    return DoubleVector.broadcast(Lanes.DOUBLE, value);
  }

  /** A half vector of equal numbers. */
  public static LongVector broadcastHalf(long value) {
    return LongVector.broadcast(Lanes.LONG, value);
  }

  /** A full vector of {@code first}, {@code first + 1} and so on. */
  public static IntVector iota(int first) {
    return IOTA.add(first);
  }

  /** A half vector of {@code first}, {@code first + 1} and so on. */
  public static IntVector iotaHalf(int first) {
    return IOTA_HALF.add(first);
  }

  /** A half vector of {@code first}, {@code first + 1} and so on. */
  public static LongVector iotaHalf(long first) {
    return IOTA_LONG.add(first);
  }

  /** A full vector of which the first {@code n} are true; all where there are fewer. */
  public static VectorMask<Integer> firstLanes(int n) {
    return IntVector.broadcast(Lanes.INT, n).compare(GT, IOTA);
  }

  /** A half vector of which the first {@code n} are true; all where there are fewer. */
  public static VectorMask<Integer> firstLanesHalf(int n) {
    return IntVector.broadcast(Lanes.HALF_INT, n).compare(GT, IOTA_HALF);
  }
}
