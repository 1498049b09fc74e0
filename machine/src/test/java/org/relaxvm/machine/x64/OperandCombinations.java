package org.relaxvm.machine.x64;

import java.util.ArrayList;
import java.util.List;

/** Operands of each kind that a form takes: low and high registers, all widths, all addresses. */
final class OperandCombinations {
  private static final List<Address> ADDRESSES =
      List.of(
          Address.of(Gp.RAX, 0),
          Address.of(Gp.RBP, 0),
          Address.of(Gp.RSP, 8),
          Address.of(Gp.R12, 0),
          Address.of(Gp.R13, 0),
          Address.of(Gp.R9, 64),
          Address.of(Gp.RDI, -128),
          Address.of(Gp.RSI, 1_000),
          Address.of(Gp.RCX, 2_048),
          Address.of(Gp.RDX, 5),
          Address.of(Gp.RBX, Gp.R14, 4, 256),
          Address.of(Gp.R8, Gp.RBP, 8, -4),
          Address.ofIndex(Gp.R15, 2, 12));

  private OperandCombinations() {}

  /** Lists of operands for a form; {@code isWide} adds what only EVEX encodes. */
  static List<Operand[]> of(Form form, boolean isWide) {
    List<Operand[]> combinations = new ArrayList<>();
    int[] lengths = isWide ? new int[] {128, 256, 512} : new int[] {128, 256};
    boolean hasSize = form.kinds().contains(Kind.R) || form.kinds().contains(Kind.A);
    int[] sizes = hasSize ? new int[] {32, 64} : new int[] {32};
    int[] numbers = isWide ? new int[] {1, 6, 11, 21} : new int[] {1, 6, 11};
    for (int length : lengths) {
      for (int size : sizes) {
        for (int shift = 0; shift < numbers.length; shift++) {
          combinations.add(registers(form, length, size, numbers, shift));
          if (form.memoryOperand() >= 0) {
            for (Address address : ADDRESSES) {
              Operand[] operands = registers(form, length, size, numbers, shift);
              Match match = new Match(form, length, size);
              operands[form.memoryOperand()] = address(form, address, match, numbers[shift]);
              combinations.add(operands);
            }
            if (isWide && form.hasEvex() && form.tuple().hasBroadcast()) {
              Operand[] operands = registers(form, length, size, numbers, shift);
              int bytes = form.kinds().contains(Kind.H) ? length / 8 : 0;
              operands[form.memoryOperand()] = ADDRESSES.get(shift + 5).ofBytes(bytes).broadcast();
              combinations.add(operands);
            }
          }
        }
      }
    }
    return combinations;
  }

  private static Address address(Form form, Address address, Match match, int number) {
    Kind kind = form.kinds().get(form.memoryOperand());
    if (kind == Kind.VM || kind == Kind.HM) {
      int bits = kind == Kind.VM ? match.length() : Math.max(128, match.length() / 2);
      Gp base = address.base() == null ? Gp.RAX : address.base();
      return Address.of(
          base, new Vector((number + 3) % 32, bits), address.scale(), address.displacement());
    }
    return address.ofBytes(match.memoryBytes(address));
  }

  private static Operand[] registers(Form form, int length, int size, int[] numbers, int shift) {
    Operand[] operands = new Operand[form.kinds().size()];
    for (int i = 0; i < operands.length; i++) {
      int number = numbers[(shift + i) % numbers.length];
      operands[i] = register(form.kinds().get(i), length, size, number, shift);
    }
    return operands;
  }

  private static Operand register(Kind kind, int length, int size, int number, int shift) {
    return switch (kind) {
      case R -> new Gp(number % 16, size);
      case R8 -> new Gp(number % 16, 8);
      case R16 -> new Gp(number % 16, 16);
      case R32 -> new Gp(number % 16, 32);
      case R64 -> new Gp(number % 16, 64);
      case A -> new Gp(0, size);
      case CL -> new Gp(1, 8);
      case V, W, H, Q, E, X, Y, Z -> new Vector(number, kind.vectorBits(length));
      case K -> Mask.k(number % 8);
      case M, M1, M2, M4, M8, VM, HM -> Address.of(Gp.RAX, 0);
      case I8 -> Immediate.of(-7 + shift);
      case U8 -> Immediate.of(2 + shift);
      case I32 -> Immediate.of(0x12345678 - shift);
      case I64 -> Immediate.of(0x1122334455667788L + shift);
      case ONE -> Immediate.of(1);
    };
  }
}
