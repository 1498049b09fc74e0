package org.relaxvm.machine.arm64;

import org.jspecify.annotations.Nullable;

/**
 * Memory at a register plus an offset or an index.
 *
 * @param base a 64-bit register or the stack pointer
 * @param offset in bytes; 0 where there is an index
 * @param mode whether and when the base changes
 * @param index a register that is added, or null
 * @param extension a shift to the left or an extension of the index, or null
 */
public record Address(
    Gp base, int offset, Mode mode, @Nullable Gp index, @Nullable Modifier extension)
    implements Operand {

  /** What happens to the base. */
  public enum Mode {
    /** Nothing. */
    OFFSET,
    /** The offset is added before the access. */
    PRE,
    /** The offset is added after the access. */
    POST
  }

  /** Checks that the parts go together. */
  public Address {
    if (base.bits() != 64 || base.isZero()) {
      throw new IllegalArgumentException(
          "the base of an address is a 64-bit register or sp, but got " + base);
    }
    if (index != null && (index.isStackPointer() || offset != 0 || mode == Mode.PRE)) {
      throw new IllegalArgumentException(
          "an address with an index has no other offset, no pre-increment, and its index is not sp,"
              + " but got %s, offset %d, %s".formatted(index, offset, mode));
    }
    if (extension != null && (index == null || mode != Mode.OFFSET)) {
      throw new IllegalArgumentException(
          "only the index of an address without increment is shifted or extended, but got "
              + extension);
    }
  }

  /** Memory at {@code base}. */
  public static Address of(Gp base) {
    return of(base, 0);
  }

  /** Memory at {@code base + offset}. */
  public static Address of(Gp base, int offset) {
    return new Address(base, offset, Mode.OFFSET, null, null);
  }

  /** Memory at {@code base + index}, of 64 bits. */
  public static Address of(Gp base, Gp index) {
    return new Address(base, 0, Mode.OFFSET, index, null);
  }

  /** Memory at {@code base} plus an index that is shifted or extended. */
  public static Address of(Gp base, Gp index, Modifier extension) {
    return new Address(base, 0, Mode.OFFSET, index, extension);
  }

  /** Memory at {@code base + offset}, which the base becomes. */
  public static Address pre(Gp base, int offset) {
    return new Address(base, offset, Mode.PRE, null, null);
  }

  /** Memory at {@code base}, which becomes {@code base + offset}. */
  public static Address post(Gp base, int offset) {
    return new Address(base, offset, Mode.POST, null, null);
  }

  /** Memory at {@code base}, which becomes {@code base + increment}; for structures only. */
  public static Address post(Gp base, Gp increment) {
    return new Address(base, 0, Mode.POST, increment, null);
  }

  /** The same memory, {@code bytes} further. */
  public Address plus(int bytes) {
    return new Address(base, Math.addExact(offset, bytes), mode, index, extension);
  }

  /** The address in the manual, such as {@code [x0, #16]!}. */
  @Override
  public String toString() {
    if (mode == Mode.POST) {
      return "[" + base + "], " + (index == null ? "#" + offset : index);
    }
    StringBuilder text = new StringBuilder("[").append(base);
    if (index != null) {
      text.append(", ").append(index);
    } else if (offset != 0 || mode == Mode.PRE) {
      text.append(", #").append(offset);
    }
    if (extension != null && !extension.isNone()) {
      text.append(", ").append(extension);
    }
    return text.append(mode == Mode.PRE ? "]!" : "]").toString();
  }
}
