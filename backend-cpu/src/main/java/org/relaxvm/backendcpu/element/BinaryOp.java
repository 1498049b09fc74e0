package org.relaxvm.backendcpu.element;

/** Functions of two elements whose result has their dtype. */
public enum BinaryOp {
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  MAXIMUM,
  MINIMUM,
  POWER,
  LOGICAL_AND,
  LOGICAL_OR,
  LOGICAL_XOR,
  FLOOR_DIVIDE,
  MOD,
  FLOOR_MOD,
  BITWISE_AND,
  BITWISE_OR,
  BITWISE_XOR,
  LEFT_SHIFT,
  RIGHT_SHIFT
}
