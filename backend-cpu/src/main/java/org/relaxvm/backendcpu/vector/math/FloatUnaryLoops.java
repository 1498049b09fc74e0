package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.SQRT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Functions of one float32 in native memory that are exact, or rounded once or twice. Each has a
 * loop of its own: a loop shared by several would call them through a table and make an object of
 * every vector.
 */
final class FloatUnaryLoops {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final FloatVector ZERO = Species.of(0f);
  private static final FloatVector ONE = Species.of(1f);
  private static final IntVector SIGN = Species.of(0x8000_0000);
  // Numbers of this size are whole; adding it to a smaller one rounds that.
  private static final float WHOLE = 0x1p23f;
  private static final FloatVector ROUNDER = Species.of(WHOLE);

  private FloatUnaryLoops() {}

  static void negative(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      x.neg().intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void abs(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      x.lanewise(ABS).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void relu(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      x.max(ZERO).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void square(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      x.mul(x).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void sqrt(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      x.lanewise(SQRT).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void rsqrt(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      ONE.div(x.lanewise(SQRT)).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void sign(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      sign(x).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void floor(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      floor(x).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void ceil(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      ceil(x).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void round(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      round(x).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void trunc(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      trunc(x).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  private static FloatVector sign(FloatVector x) {
    return x.blend(signed(ONE, x), x.lanewise(ABS).compare(GT, 0f));
  }

  private static FloatVector floor(FloatVector x) {
    FloatVector near = round(x);
    return signed(near.sub(ONE, near.compare(GT, x)), x);
  }

  private static FloatVector ceil(FloatVector x) {
    FloatVector near = round(x);
    return signed(near.add(ONE, near.compare(LT, x)), x);
  }

  private static FloatVector round(FloatVector x) {
    FloatVector size = x.lanewise(ABS);
    FloatVector near = signed(size.add(ROUNDER).sub(ROUNDER), x);
    return x.blend(near, size.compare(LT, WHOLE));
  }

  private static FloatVector trunc(FloatVector x) {
    FloatVector size = x.lanewise(ABS);
    FloatVector near = round(size);
    return signed(near.sub(ONE, near.compare(GT, size)), x);
  }

  /** A number with the sign of another, which is its own, or was lost. */
  private static FloatVector signed(FloatVector size, FloatVector x) {
    IntVector sign = x.reinterpretAsInts().lanewise(AND, SIGN);
    return size.reinterpretAsInts().lanewise(OR, sign).reinterpretAsFloats();
  }
}
