package org.relaxvm.tir.expr;

/** An operation on two scalars of one dtype. */
public enum BinaryOp {
  ADD("+", Kind.ARITHMETIC),
  SUB("-", Kind.ARITHMETIC),
  MUL("*", Kind.ARITHMETIC),
  /** Of integers towards 0. */
  DIV("/", Kind.ARITHMETIC),
  /** The remainder of {@link #DIV}: has the sign of the dividend. */
  MOD("truncmod", Kind.ARITHMETIC),
  /** Towards negative infinity. */
  FLOOR_DIV("//", Kind.ARITHMETIC),
  /** The remainder of {@link #FLOOR_DIV}: has the sign of the divisor. */
  FLOOR_MOD("%", Kind.ARITHMETIC),
  /** NaN when either is. */
  MIN("min", Kind.ARITHMETIC),
  /** NaN when either is. */
  MAX("max", Kind.ARITHMETIC),
  EQ("==", Kind.COMPARISON),
  /** True when either is NaN. */
  NE("!=", Kind.COMPARISON),
  LT("<", Kind.COMPARISON),
  LE("<=", Kind.COMPARISON),
  GT(">", Kind.COMPARISON),
  GE(">=", Kind.COMPARISON),
  /** Of booleans; both are evaluated. */
  AND("and", Kind.LOGICAL),
  /** Of booleans; both are evaluated. */
  OR("or", Kind.LOGICAL);

  /** What operands and results there are. */
  public enum Kind {
    /** Numbers of one dtype give a number of it. */
    ARITHMETIC,
    /** Values of one dtype give a boolean. */
    COMPARISON,
    /** Booleans give a boolean. */
    LOGICAL
  }

  private final String text;
  private final Kind kind;

  BinaryOp(String text, Kind kind) {
    this.text = text;
    this.kind = kind;
  }

  /** The operator or function as the text form writes it. */
  public String text() {
    return text;
  }

  /** What operands it takes. */
  public Kind kind() {
    return kind;
  }
}
