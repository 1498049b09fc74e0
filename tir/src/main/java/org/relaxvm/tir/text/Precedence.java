package org.relaxvm.tir.text;

import org.relaxvm.tir.expr.BinaryOp;

/** How tightly operators bind, as in Python. */
final class Precedence {
  static final int LOWEST = 1;
  static final int NOT = 3;

  private Precedence() {}

  /** Whether it stands between its operands; else it is written as a function. */
  static boolean isInfix(BinaryOp op) {
    return switch (op) {
      case MOD, MIN, MAX -> false;
      default -> true;
    };
  }

  static int of(BinaryOp op) {
    return switch (op) {
      case OR -> LOWEST;
      case AND -> 2;
      case EQ, NE, LT, LE, GT, GE -> 4;
      case ADD, SUB -> 5;
      case MUL, DIV, FLOOR_DIV, FLOOR_MOD, MOD, MIN, MAX -> 6;
    };
  }
}
