package org.relaxvm.backendcpu.vector.block;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.FloatLanes;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.MemoryLanes;
import org.relaxvm.backendcpu.element.UnaryOp;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendcpu.vector.math.VectorFloatLanes;

/**
 * The kernel library's functions of single elements, on blocks of elements side by side in memory.
 * The methods are named after dtypes. Thread-safe.
 */
public final class FunctionBlocks {
  /** The most elements of a block. */
  public static final int LENGTH = 1024;

  private static final Lanes<float[]> FLOATS =
      VectorChoice.get().vectors() ? new VectorFloatLanes() : new FloatLanes();
  private static final Blocks<?> FLOAT16 = blocks(DType.FLOAT16);
  private static final Blocks<?> BFLOAT16 = blocks(DType.BFLOAT16);
  private static final Blocks<?> FLOAT32 = blocks(DType.FLOAT32);
  private static final Blocks<?> FLOAT64 = blocks(DType.FLOAT64);

  private FunctionBlocks() {}

  private static Blocks<?> blocks(DType dtype) {
    return new Blocks<>(Codecs.of(dtype, FLOATS));
  }

  /**
   * Replaces each element by the function of it.
   *
   * @param at where the first element is, in bytes
   * @param count of elements, at most {@link #LENGTH}
   */
  public static void float16(UnaryOp op, MemorySegment x, long at, long count) {
    FLOAT16.unary(op, x, at, (int) count);
  }

  /** As {@link #float16(UnaryOp, MemorySegment, long, long)}. */
  public static void bfloat16(UnaryOp op, MemorySegment x, long at, long count) {
    BFLOAT16.unary(op, x, at, (int) count);
  }

  /** As {@link #float16(UnaryOp, MemorySegment, long, long)}. */
  public static void float32(UnaryOp op, MemorySegment x, long at, long count) {
    FLOAT32.unary(op, x, at, (int) count);
  }

  /** As {@link #float16(UnaryOp, MemorySegment, long, long)}. */
  public static void float64(UnaryOp op, MemorySegment x, long at, long count) {
    FLOAT64.unary(op, x, at, (int) count);
  }

  /**
   * Replaces their bases by powers.
   *
   * @param at where the first base is, in bytes
   * @param y the exponents
   * @param yAt where the first exponent is, in bytes
   * @param count of elements, at most {@link #LENGTH}
   */
  public static void float16(MemorySegment x, long at, MemorySegment y, long yAt, long count) {
    FLOAT16.power(x, at, y, yAt, (int) count);
  }

  /** As {@link #float16(MemorySegment, long, MemorySegment, long, long)}. */
  public static void bfloat16(MemorySegment x, long at, MemorySegment y, long yAt, long count) {
    BFLOAT16.power(x, at, y, yAt, (int) count);
  }

  /** As {@link #float16(MemorySegment, long, MemorySegment, long, long)}. */
  public static void float32(MemorySegment x, long at, MemorySegment y, long yAt, long count) {
    FLOAT32.power(x, at, y, yAt, (int) count);
  }

  /** As {@link #float16(MemorySegment, long, MemorySegment, long, long)}. */
  public static void float64(MemorySegment x, long at, MemorySegment y, long yAt, long count) {
    FLOAT64.power(x, at, y, yAt, (int) count);
  }

  /** The functions of one dtype, with two arrays for each thread. */
  private static final class Blocks<A> {
    private final Codec<A> codec;
    private final Lanes<A> lanes;
    private final ThreadLocal<A> first;
    private final ThreadLocal<A> second;

    Blocks(Codec<A> codec) {
      this.codec = codec;
      this.lanes = codec.lanes();
      this.first = ThreadLocal.withInitial(() -> lanes.array(LENGTH));
      this.second = ThreadLocal.withInitial(() -> lanes.array(LENGTH));
    }

    void unary(UnaryOp op, MemorySegment x, long at, int count) {
      @Nullable MemoryLanes memory = codec.memory();
      int done = memory == null ? 0 : memory.unary(op, x, at, x, at, count);
      if (done < count) {
        A values = first.get();
        int left = count - done;
        long place = at + (long) done * codec.bytes();
        codec.load(x, place, codec.bytes(), values, 0, left);
        lanes.unary(op, values, left);
        codec.store(values, 0, left, x, place, codec.bytes());
      }
    }

    void power(MemorySegment x, long at, MemorySegment y, long yAt, int count) {
      A values = first.get();
      A exponents = second.get();
      codec.load(x, at, codec.bytes(), values, 0, count);
      codec.load(y, yAt, codec.bytes(), exponents, 0, count);
      lanes.binary(BinaryOp.POWER, values, exponents, 0, count);
      codec.store(values, 0, count, x, at, codec.bytes());
    }
  }
}
