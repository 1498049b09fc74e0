package org.relaxvm.machine.x64;

import org.jspecify.annotations.Nullable;

/**
 * Memory at {@code base + index * scale + displacement}, or at a label plus a displacement.
 *
 * @param base a 64-bit register, or null
 * @param index a 64-bit register other than {@code rsp}, a vector of indices for gathers and
 *     scatters, or null
 * @param scale 1, 2, 4 or 8
 * @param displacement in bytes
 * @param label what the address is relative to in place of registers, or null
 * @param bytes the size of the operand, where registers do not tell it; 0 if they do
 * @param isBroadcast whether one element is read for all lanes (AVX-512)
 */
public record Address(
    @Nullable Gp base,
    @Nullable Operand index,
    int scale,
    int displacement,
    @Nullable Label label,
    int bytes,
    boolean isBroadcast)
    implements Operand {

  /** Checks that the parts go together. */
  public Address {
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8) {
      throw new IllegalArgumentException("a scale is 1, 2, 4 or 8, but got " + scale);
    }
    if (base != null && base.bits() != 64) {
      throw new IllegalArgumentException("the base of an address has 64 bits, but got " + base);
    }
    boolean isIndex =
        index == null
            || index instanceof Vector
            || (index instanceof Gp gp && gp.bits() == 64 && gp.number() != Gp.RSP.number());
    if (!isIndex) {
      throw new IllegalArgumentException(
          "the index of an address is a vector or a 64-bit register other than rsp, but got "
              + index);
    }
    if (label != null && (base != null || index != null)) {
      throw new IllegalArgumentException("an address relative to a label has no registers");
    }
  }

  /** Memory at {@code base + displacement}. */
  public static Address of(Gp base, int displacement) {
    return new Address(base, null, 1, displacement, null, 0, false);
  }

  /** Memory at {@code base + index * scale + displacement}. */
  public static Address of(Gp base, Operand index, int scale, int displacement) {
    return new Address(base, index, scale, displacement, null, 0, false);
  }

  /** Memory at {@code index * scale + displacement}. */
  public static Address ofIndex(Operand index, int scale, int displacement) {
    return new Address(null, index, scale, displacement, null, 0, false);
  }

  /** Memory at a label, such as a constant of {@link Assembler#constant}. */
  public static Address of(Label label) {
    return new Address(null, null, 1, 0, label, 0, false);
  }

  /** The same memory, {@code offset} bytes further. */
  public Address plus(int offset) {
    int sum = Math.addExact(displacement, offset);
    return new Address(base, index, scale, sum, label, bytes, isBroadcast);
  }

  /** The same memory, of which {@code size} bytes are the operand. */
  public Address ofBytes(int size) {
    return new Address(base, index, scale, displacement, label, size, isBroadcast);
  }

  /** One element at this address for all lanes. */
  public Address broadcast() {
    return new Address(base, index, scale, displacement, label, bytes, true);
  }

  /** The address in Intel syntax, without its size. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    if (label != null) {
      text.append("rip + ").append(label);
    } else if (base != null) {
      text.append(base);
    }
    if (index != null) {
      text.append(base == null ? "" : " + ").append(index).append('*').append(scale);
    }
    if (text.length() == 1) {
      return text.append("ds:").append(displacement).append(']').toString();
    }
    if (displacement != 0) {
      text.append(displacement < 0 ? " - " : " + ").append(Math.abs((long) displacement));
    }
    return text.append(']').toString();
  }
}
