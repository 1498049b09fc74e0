package org.relaxvm.backendcpu.vector.math;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Functions of two float32 in native memory. Each has a loop of its own, as {@link
 * FloatUnaryLoops}.
 */
final class FloatBinaryLoops {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatBinaryLoops() {}

  static void add(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + at, ORDER);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + at, ORDER);
      x.add(y).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void subtract(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + at, ORDER);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + at, ORDER);
      x.sub(y).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void multiply(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + at, ORDER);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + at, ORDER);
      x.mul(y).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void divide(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + at, ORDER);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + at, ORDER);
      x.div(y).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void maximum(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + at, ORDER);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + at, ORDER);
      x.max(y).intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void minimum(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int whole) {
    NativeMemory.require(a, b, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + at, ORDER);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + at, ORDER);
      x.min(y).intoMemorySegment(out, outAt + at, ORDER);
    }
  }
}
