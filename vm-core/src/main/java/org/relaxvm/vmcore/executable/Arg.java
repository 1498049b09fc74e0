package org.relaxvm.vmcore.executable;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * An argument of a call: what kind of thing, and which. In the instruction stream it is one word
 * with the kind in bits 63 to 56 and a signed value of 56 bits below.
 *
 * <p>Source: docs/spec/executable-format.md, section 4.1. Immutable.
 *
 * @param value at most {@link #MAX_VALUE} in magnitude
 */
public record Arg(ArgKind kind, long value) {
  /** The largest value of an argument word; the smallest is its negation. */
  public static final long MAX_VALUE = (1L << 55) - 1;

  /** Register numbers from here on are special. */
  public static final long FIRST_SPECIAL_REGISTER = 1L << 54;

  /** Reads as null; as a destination it drops the result. */
  public static final long VOID_REGISTER = FIRST_SPECIAL_REGISTER;

  /** Reads as the VM's context. */
  public static final long VM_REGISTER = FIRST_SPECIAL_REGISTER + 1;

  /**
   * The number that the prototype of 2021 gave the VM's context. It is read as {@link
   * #VM_REGISTER}.
   *
   * <p>Source: docs/spec/relay-register-vm.md, section 13.
   */
  public static final long EARLIER_VM_REGISTER = 0x008D_14FA_4379_015CL;

  /** The void register as an argument. */
  public static final Arg VOID = new Arg(ArgKind.REGISTER, VOID_REGISTER);

  /** The VM register as an argument. */
  public static final Arg VM = new Arg(ArgKind.REGISTER, VM_REGISTER);

  /** Register {@code number}. */
  public static Arg register(long number) {
    return checked(ArgKind.REGISTER, number);
  }

  /**
   * The integer {@code value}.
   *
   * @throws InvalidProgramException a {@code ValueError} when it needs more than 56 bits; such an
   *     integer goes to the constant pool
   */
  public static Arg immediate(long value) {
    return checked(ArgKind.IMMEDIATE, value);
  }

  /** Entry {@code index} of the constant pool. */
  public static Arg constant(long index) {
    return checked(ArgKind.CONSTANT, index);
  }

  /** Entry {@code index} of the function table. */
  public static Arg function(long index) {
    return checked(ArgKind.FUNCTION, index);
  }

  /** Whether an integer fits an immediate. */
  public static boolean fitsImmediate(long value) {
    return value >= -MAX_VALUE && value <= MAX_VALUE;
  }

  /** The word in the instruction stream. */
  public long word() {
    return ((long) kind.ordinal() << 56) | (value & 0x00FF_FFFF_FFFF_FFFFL);
  }

  /** The kind tag of a word, which may be none of {@link ArgKind}'s. */
  public static int kindTag(long word) {
    return (int) (word >>> 56);
  }

  /** The value of a word. */
  public static long value(long word) {
    return word == EARLIER_VM_REGISTER ? VM_REGISTER : (word << 8) >> 8;
  }

  /**
   * The argument of a word.
   *
   * @throws InvalidProgramException an {@code InternalError} when the kind is unknown
   */
  public static Arg ofWord(long word) {
    int tag = kindTag(word);
    ArgKind[] kinds = ArgKind.values();
    if (tag >= kinds.length) {
      throw new InvalidProgramException(
              ErrorKind.INTERNAL, "there is no kind of argument with the number " + tag)
          .withTvmMessage("Wrong instruction kind: " + tag);
    }
    return new Arg(kinds[tag], value(word));
  }

  private static Arg checked(ArgKind kind, long value) {
    if (!fitsImmediate(value)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the value " + value + " does not fit an argument word: expected -(2^55-1) to 2^55-1");
    }
    return new Arg(kind, value);
  }

  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Arg that && kind == that.kind && value == that.value);
  }

  @Override
  public int hashCode() {
    return 31 * kind.ordinal() + Long.hashCode(value);
  }
}
