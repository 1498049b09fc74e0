package org.relaxvm.backendcpu.element;

/** Functions of two elements whose result is a boolean. */
public enum Comparison {
  EQUAL,
  NOT_EQUAL,
  LESS,
  LESS_EQUAL,
  GREATER,
  GREATER_EQUAL
}
