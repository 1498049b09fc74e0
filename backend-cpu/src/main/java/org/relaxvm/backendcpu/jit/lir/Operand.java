package org.relaxvm.backendcpu.jit.lir;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What an instruction reads. Immutable. */
public sealed interface Operand {
  /** The type of the value. */
  Type type();

  /**
   * A virtual register. It may be defined more than once; its first definition, in the order of the
   * instructions, is in a statement list that contains all its other definitions and its uses, at
   * any depth. Compared by identity.
   */
  final class Reg implements Operand {
    private final int id;
    private final Type type;

    Reg(int id, Type type) {
      this.id = id;
      this.type = type;
    }

    /** Its number within its function. */
    public int id() {
      return id;
    }

    @Override
    public Type type() {
      return type;
    }

    @Override
    public String toString() {
      return "%" + id;
    }
  }

  /** An integer of a general register. */
  record Imm(long value) implements Operand {
    @Override
    public Type type() {
      return Type.WORD;
    }

    @Override
    public String toString() {
      return Long.toString(value);
    }
  }

  /**
   * Constant lanes.
   *
   * @param type of integers or floats
   * @param bits the bits of one lane for all lanes, or of each lane
   */
  record Const(Type type, long... bits) implements Operand {
    /** Checks the number of lanes. */
    public Const {
      bits = bits.clone();
      if ((!type.isInt() && !type.isFloat()) || (bits.length != 1 && bits.length != type.lanes())) {
        throw new IllegalArgumentException(
            "a constant of type %s cannot have %d lanes".formatted(type, bits.length));
      }
    }

    /** A float in all lanes. */
    public static Const of(Type type, double value) {
      if (!type.isFloat()) {
        return new Const(type, (long) value);
      }
      return new Const(
          type,
          type.bits() == 32
              ? Float.floatToRawIntBits((float) value) & 0xffff_ffffL
              : Double.doubleToRawLongBits(value));
    }

    /** Whether all lanes are equal. */
    public boolean isSplat() {
      return bits.length == 1;
    }

    /** The bits of a lane. */
    public long lane(int lane) {
      return bits[isSplat() ? 0 : lane];
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Const constant
          && type.equals(constant.type)
          && Arrays.equals(bits, constant.bits);
    }

    @Override
    public int hashCode() {
      return 31 * type.hashCode() + Arrays.hashCode(bits);
    }

    @Override
    public String toString() {
      if (!isSplat()) {
        return Arrays.toString(bits);
      }
      if (!type.isFloat()) {
        return Long.toString(bits[0]);
      }
      return type.bits() == 32
          ? Float.intBitsToFloat((int) bits[0]) + "f"
          : Double.longBitsToDouble(bits[0]) + "d";
    }
  }

  /**
   * Memory at {@code base + index * scale + displacement}, in bytes.
   *
   * @param base of type word
   * @param index of type word, or null
   * @param scale 1, 2, 4 or 8
   */
  record Address(Reg base, @Nullable Reg index, int scale, int displacement) {
    /** Memory at a register plus a displacement. */
    public static Address of(Reg base, int displacement) {
      return new Address(base, null, 1, displacement);
    }

    /** The same memory, {@code bytes} further. */
    public Address plus(int bytes) {
      return new Address(base, index, scale, Math.addExact(displacement, bytes));
    }

    @Override
    public String toString() {
      return "["
          + base
          + (index == null ? "" : " + " + index + " * " + scale)
          + (displacement == 0 ? "" : " + " + displacement)
          + "]";
    }
  }
}
