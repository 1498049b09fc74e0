package org.relaxvm.machine.x64;

import java.util.List;

/**
 * A general-purpose register, or its low bits. Writing 32 bits clears the upper 32; writing 8 or 16
 * keeps the others.
 *
 * @param number 0 to 15, in the order of the encoding: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8
 * @param bits 8, 16, 32 or 64
 */
public record Gp(int number, int bits) implements Operand {
  public static final Gp RAX = new Gp(0, 64);
  public static final Gp RCX = new Gp(1, 64);
  public static final Gp RDX = new Gp(2, 64);
  public static final Gp RBX = new Gp(3, 64);
  public static final Gp RSP = new Gp(4, 64);
  public static final Gp RBP = new Gp(5, 64);
  public static final Gp RSI = new Gp(6, 64);
  public static final Gp RDI = new Gp(7, 64);
  public static final Gp R8 = new Gp(8, 64);
  public static final Gp R9 = new Gp(9, 64);
  public static final Gp R10 = new Gp(10, 64);
  public static final Gp R11 = new Gp(11, 64);
  public static final Gp R12 = new Gp(12, 64);
  public static final Gp R13 = new Gp(13, 64);
  public static final Gp R14 = new Gp(14, 64);
  public static final Gp R15 = new Gp(15, 64);

  private static final List<String> LEGACY_NAMES =
      List.of("ax", "cx", "dx", "bx", "sp", "bp", "si", "di");

  /** Checks the ranges. */
  public Gp {
    if (number < 0 || number > 15 || (bits != 8 && bits != 16 && bits != 32 && bits != 64)) {
      throw new IllegalArgumentException(
          "a general-purpose register has a number from 0 to 15 and 8, 16, 32 or 64 bits, but got"
              + " number %d, %d bits".formatted(number, bits));
    }
  }

  /** The 64-bit register of a number. */
  public static Gp of(int number) {
    return new Gp(number, 64);
  }

  /** Its low {@code bits} bits: 8, 16, 32 or 64. */
  public Gp low(int bits) {
    return bits == this.bits ? this : new Gp(number, bits);
  }

  /** Its low 32 bits. */
  public Gp low32() {
    return low(32);
  }

  /** The name in Intel syntax. */
  @Override
  public String toString() {
    if (number >= 8) {
      String suffix = bits == 64 ? "" : bits == 32 ? "d" : bits == 16 ? "w" : "b";
      return "r" + number + suffix;
    }
    String name = LEGACY_NAMES.get(number);
    return switch (bits) {
      case 64 -> "r" + name;
      case 32 -> "e" + name;
      case 16 -> name;
      default -> number < 4 ? name.charAt(0) + "l" : name + "l";
    };
  }
}
