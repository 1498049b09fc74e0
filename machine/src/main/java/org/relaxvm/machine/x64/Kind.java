package org.relaxvm.machine.x64;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What an operand of a form may be. The text of a kind that may be memory, too, ends in "/m". */
enum Kind {
  /** A general-purpose register of 32 or 64 bits, which is the size of the operation. */
  R("r"),
  R8("r8"),
  R16("r16"),
  R32("r32"),
  R64("r64"),
  /** The accumulator: eax or rax. */
  A("a"),
  CL("cl"),
  /** A vector register of 128, 256 or 512 bits, which is the vector length of the operation. */
  V("v"),
  /** As {@link #V}, but of 256 or 512 bits. */
  W("w"),
  /** A vector of half, a quarter, an eighth of the length, in 128 bits at least. */
  H("h"),
  Q("q"),
  E("e"),
  X("x"),
  Y("y"),
  Z("z"),
  K("k"),
  /** Memory; with a number, memory whose size has to be stated. */
  M("m"),
  M1("m1"),
  M2("m2"),
  M4("m4"),
  M8("m8"),
  /** Memory with a vector of indices: of the vector length, or of half of it. */
  VM("vm"),
  HM("hm"),
  /** Constants: signed 8 bits, any 8 bits, 32 bits, 64 bits, the number one. */
  I8("i8"),
  U8("u8"),
  I32("i32"),
  I64("i64"),
  ONE("1");

  private static final Map<String, Kind> BY_TEXT = byText();

  private final String text;

  Kind(String text) {
    this.text = text;
  }

  private static Map<String, Kind> byText() {
    Map<String, Kind> kinds = new HashMap<>();
    for (Kind kind : values()) {
      kinds.put(kind.text, kind);
    }
    return kinds;
  }

  static Kind of(String text) {
    Kind kind = BY_TEXT.get(text);
    if (kind == null) {
      throw new IllegalArgumentException("there is no kind of operand '" + text + "'");
    }
    return kind;
  }

  /** Whether a register of this kind sets the vector length. */
  boolean isLength() {
    return this == V || this == W;
  }

  /** Whether the size of the register depends on the vector length, or is 256 bits. */
  boolean isVectorOfLength() {
    return isLength() || this == H || this == Q || this == E || this == Y;
  }

  /** Bits of the vector register for a vector length, or 0 where this is none. */
  int vectorBits(int length) {
    return switch (this) {
      case V, W -> length;
      case H -> Math.max(128, length / 2);
      case Q -> Math.max(128, length / 4);
      case E, X -> 128;
      case Y -> 256;
      case Z -> 512;
      default -> 0;
    };
  }

  /** Bits of the general-purpose register for an operation of {@code size} bits; 0 for others. */
  int registerBits(int size) {
    return switch (this) {
      case R, A -> size;
      case R8, CL -> 8;
      case R16 -> 16;
      case R32 -> 32;
      case R64 -> 64;
      default -> 0;
    };
  }

  /** Bytes of memory of which the size has to be stated, or 0. */
  int statedBytes() {
    return switch (this) {
      case M1 -> 1;
      case M2 -> 2;
      case M4 -> 4;
      case M8 -> 8;
      default -> 0;
    };
  }

  /** Whether a constant fits; {@code size} is that of the operation in bits. */
  boolean holds(long value, int size) {
    return switch (this) {
      case I8 -> value == (byte) value;
      case U8 -> value == (byte) value || value == (value & 0xFF);
      case I32 -> value == (int) value || (size == 32 && value == (value & 0xFFFF_FFFFL));
      case I64 -> true;
      case ONE -> value == 1;
      default -> false;
    };
  }

  @Override
  public String toString() {
    return text.toLowerCase(Locale.ROOT);
  }
}
