package org.relaxvm.machine.arm64;

import java.util.ArrayList;
import java.util.List;

/**
 * The shortest sequence that loads a constant into a register: movz or movn and movk for each
 * further halfword, or orr of a bitmask and one movk at most.
 */
final class MoveSequence {
  private static final int HALFWORD = 0xFFFF;

  /**
   * An instruction of a sequence.
   *
   * @param instruction movz, movn, movk or orr
   * @param value its constant
   * @param shift bits that the constant is shifted to the left
   */
  record Step(Instruction instruction, long value, int shift) {}

  private MoveSequence() {}

  /** The instructions for a constant of {@code bits} bits, 32 or 64; higher bits are ignored. */
  static List<Step> of(long value, int bits) {
    List<Step> moves = moves(value, bits);
    if (moves.size() == 1) {
      return moves;
    }
    long used = bits == 32 ? value & 0xFFFF_FFFFL : value;
    if (Immediate.of(used).isBitmask(bits)) {
      return List.of(new Step(Instruction.ORR, used, 0));
    }
    return moves.size() == 2 ? moves : bitmaskAndMove(value, moves);
  }

  /** movz where more halfwords are zeros, movn where more are ones; movk for the others. */
  private static List<Step> moves(long value, int bits) {
    int zeros = 0;
    int ones = 0;
    for (int shift = 0; shift < bits; shift += 16) {
      zeros += halfword(value, shift) == 0 ? 1 : 0;
      ones += halfword(value, shift) == HALFWORD ? 1 : 0;
    }
    boolean isNegated = ones > zeros;
    int skipped = isNegated ? HALFWORD : 0;
    List<Step> steps = new ArrayList<>();
    for (int shift = 0; shift < bits; shift += 16) {
      int part = halfword(value, shift);
      if (part == skipped) {
        continue;
      }
      if (!steps.isEmpty()) {
        steps.add(new Step(Instruction.MOVK, part, shift));
      } else if (isNegated) {
        steps.add(new Step(Instruction.MOVN, part ^ HALFWORD, shift));
      } else {
        steps.add(new Step(Instruction.MOVZ, part, shift));
      }
    }
    if (steps.isEmpty()) {
      steps.add(new Step(isNegated ? Instruction.MOVN : Instruction.MOVZ, 0, 0));
    }
    return steps;
  }

  /** A bitmask that differs in one halfword, if there is one; otherwise {@code moves}. */
  private static List<Step> bitmaskAndMove(long value, List<Step> moves) {
    for (int shift = 0; shift < 64; shift += 16) {
      long others = value & ~((long) HALFWORD << shift);
      // The halfword of a bitmask is all zeros, all ones or that of another position.
      for (int from = 0; from < 64; from += 16) {
        for (int part : new int[] {0, HALFWORD, halfword(value, from)}) {
          long mask = others | (long) part << shift;
          if (Immediate.of(mask).isBitmask(64)) {
            return List.of(
                new Step(Instruction.ORR, mask, 0),
                new Step(Instruction.MOVK, halfword(value, shift), shift));
          }
        }
      }
    }
    return moves;
  }

  private static int halfword(long value, int shift) {
    return (int) (value >>> shift) & HALFWORD;
  }
}
