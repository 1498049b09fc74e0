package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.relaxvm.backendcpu.element.Codec;

/**
 * Gives runs of floats of up to 32 bits the form that {@link FloatRows} takes: as they lie, or
 * copied. Belongs to one thread.
 */
final class RowStage implements AutoCloseable {
  private final Codec<float[]> codec;
  private final int longest;
  private final Arena arena = Arena.ofConfined();
  private MemorySegment memory = MemorySegment.NULL;
  private MemorySegment copy = MemorySegment.NULL;
  private float[] values = new float[0];
  private long at;

  /**
   * A stage.
   *
   * @param longest most elements of a run that is not as {@link #fits} asks for
   */
  RowStage(Codec<float[]> codec, int longest) {
    this.codec = codec;
    this.longest = longest;
  }

  /** Whether a run is used as it lies. */
  static boolean fits(Codec<float[]> codec, MemorySegment memory, long step) {
    return codec.bytes() == Float.BYTES && step == Float.BYTES && memory.isNative();
  }

  /** Shows a run that is read; {@link #memory} and {@link #at} say where it is now. */
  void read(MemorySegment from, long place, long step, int count) {
    if (!write(from, place, step)) {
      codec.load(from, place, step, values, 0, count);
      MemorySegment.copy(values, 0, copy, ValueLayout.JAVA_FLOAT, 0, count);
    }
  }

  /** Shows where a run is to be written; false if {@link #store} has to follow. */
  boolean write(MemorySegment to, long place, long step) {
    if (fits(codec, to, step)) {
      memory = to;
      at = place;
      return true;
    }
    if (values.length == 0) {
      values = new float[longest];
      copy = arena.allocate((long) longest * Float.BYTES, 64);
    }
    memory = copy;
    at = 0;
    return false;
  }

  /** Brings a run that was not written in place to where it belongs. */
  void store(MemorySegment to, long place, long step, int count) {
    MemorySegment.copy(copy, ValueLayout.JAVA_FLOAT, 0, values, 0, count);
    codec.store(values, 0, count, to, place, step);
  }

  MemorySegment memory() {
    return memory;
  }

  long at() {
    return at;
  }

  @Override
  public void close() {
    arena.close();
  }
}
