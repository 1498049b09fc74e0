package org.relaxvm.backendcpu.vector.math;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.MemoryLanes;
import org.relaxvm.backendcpu.element.UnaryOp;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/** float32 in native memory: whole vectors of the functions for which that is faster. */
final class FloatMemory implements MemoryLanes {
  static final FloatMemory INSTANCE = new FloatMemory();

  private FloatMemory() {}

  @Override
  public int unary(
      UnaryOp op, MemorySegment x, long xAt, MemorySegment out, long outAt, int count) {
    if (!NativeMemory.holds(x) || !NativeMemory.holds(out)) {
      return 0;
    }
    int whole = Species.FLOAT.loopBound(count);
    switch (op) {
      case NEGATIVE -> FloatUnaryLoops.negative(x, xAt, out, outAt, whole);
      case ABS -> FloatUnaryLoops.abs(x, xAt, out, outAt, whole);
      case RELU -> FloatUnaryLoops.relu(x, xAt, out, outAt, whole);
      case SQUARE -> FloatUnaryLoops.square(x, xAt, out, outAt, whole);
      case SIGN -> FloatUnaryLoops.sign(x, xAt, out, outAt, whole);
      case FLOOR -> FloatUnaryLoops.floor(x, xAt, out, outAt, whole);
      case CEIL -> FloatUnaryLoops.ceil(x, xAt, out, outAt, whole);
      case ROUND -> FloatUnaryLoops.round(x, xAt, out, outAt, whole);
      case TRUNC -> FloatUnaryLoops.trunc(x, xAt, out, outAt, whole);
      case SQRT -> FloatUnaryLoops.sqrt(x, xAt, out, outAt, whole);
      case RSQRT -> FloatUnaryLoops.rsqrt(x, xAt, out, outAt, whole);
      case EXP -> FloatExp.exp(x, xAt, out, outAt, whole);
      case LOG -> FloatLog.apply(x, xAt, out, outAt, whole);
      case TANH -> FloatExp.tanh(x, xAt, out, outAt, whole);
      case SIGMOID -> FloatExp.sigmoid(x, xAt, out, outAt, whole);
      case GELU -> FloatGelu.apply(x, xAt, out, outAt, whole);
      case ERF -> FloatErf.apply(x, xAt, out, outAt, whole);
      default -> {
        return 0;
      }
    }
    return whole;
  }

  @Override
  public int binary(
      BinaryOp op,
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int count) {
    if (!NativeMemory.holds(a) || !NativeMemory.holds(b) || !NativeMemory.holds(out)) {
      return 0;
    }
    int whole = Species.FLOAT.loopBound(count);
    switch (op) {
      case ADD -> FloatBinaryLoops.add(a, aAt, b, bAt, out, outAt, whole);
      case SUBTRACT -> FloatBinaryLoops.subtract(a, aAt, b, bAt, out, outAt, whole);
      case MULTIPLY -> FloatBinaryLoops.multiply(a, aAt, b, bAt, out, outAt, whole);
      case DIVIDE -> FloatBinaryLoops.divide(a, aAt, b, bAt, out, outAt, whole);
      case MAXIMUM -> FloatBinaryLoops.maximum(a, aAt, b, bAt, out, outAt, whole);
      case MINIMUM -> FloatBinaryLoops.minimum(a, aAt, b, bAt, out, outAt, whole);
      default -> {
        return 0;
      }
    }
    return whole;
  }

  @Override
  public int binaryWithOne(
      BinaryOp op,
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int count) {
    if (!NativeMemory.holds(a) || !NativeMemory.holds(out)) {
      return 0;
    }
    float one = b.get(JAVA_FLOAT_UNALIGNED, bAt);
    int whole = Species.FLOAT.loopBound(count);
    switch (op) {
      case ADD -> FloatScalarLoops.add(a, aAt, one, out, outAt, whole);
      case SUBTRACT -> FloatScalarLoops.subtract(a, aAt, one, out, outAt, whole);
      case MULTIPLY -> FloatScalarLoops.multiply(a, aAt, one, out, outAt, whole);
      case DIVIDE -> FloatScalarLoops.divide(a, aAt, one, out, outAt, whole);
      case MAXIMUM -> FloatScalarLoops.maximum(a, aAt, one, out, outAt, whole);
      case MINIMUM -> FloatScalarLoops.minimum(a, aAt, one, out, outAt, whole);
      default -> {
        return 0;
      }
    }
    return whole;
  }
}
