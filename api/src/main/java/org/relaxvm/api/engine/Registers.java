package org.relaxvm.api.engine;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;

/** Writing registers, which own their values. */
public final class Registers {
  private Registers() {}

  /**
   * Moves a value with its owner into a register, and releases the value before it.
   *
   * @param base index of the frame's register 0
   * @param destination the register; a negative number drops the value
   * @param ref the reference half: null, a {@link ScalarTag} or the value
   * @param scalar the scalar half
   */
  public static void write(
      @Nullable Object[] refs,
      long[] bits,
      int base,
      int destination,
      @Nullable Object ref,
      long scalar) {
    Object old = ref;
    if (destination >= 0) {
      int slot = base + destination;
      old = refs[slot];
      refs[slot] = ref;
      bits[slot] = scalar;
    }
    if (old instanceof Managed managed) {
      managed.release();
    }
  }

  /**
   * Copies a value into a register: it gets one more owner, and the value before it is released.
   * Where the value is in the register already, its owner is the same.
   *
   * @param destination the register; a negative number does nothing
   */
  @SuppressWarnings("ReferenceEquality") // identity is meant: equal tensors have separate owners
  public static void copy(
      @Nullable Object[] refs,
      long[] bits,
      int base,
      int destination,
      @Nullable Object ref,
      long scalar) {
    if (destination < 0) {
      return;
    }
    int slot = base + destination;
    Object old = refs[slot];
    bits[slot] = scalar;
    if (old != ref) {
      Managed.retain(ref);
      refs[slot] = ref;
      Managed.release(old);
    }
  }
}
