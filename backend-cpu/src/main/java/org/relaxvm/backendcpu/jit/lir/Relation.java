package org.relaxvm.backendcpu.jit.lir;

/**
 * How two values compare. Of floats, {@link #NE} holds when either is NaN, and no other relation
 * does.
 */
public enum Relation {
  EQ("=="),
  NE("!="),
  LT("<"),
  LE("<="),
  GT(">"),
  GE(">="),
  /** Of integers without a sign. */
  ULT("<u"),
  /** Of integers without a sign. */
  ULE("<=u"),
  /** Of integers without a sign. */
  UGT(">u"),
  /** Of integers without a sign. */
  UGE(">=u");

  private final String text;

  Relation(String text) {
    this.text = text;
  }

  /** The relation that holds of the swapped operands. */
  public Relation swapped() {
    return switch (this) {
      case LT -> GT;
      case LE -> GE;
      case GT -> LT;
      case GE -> LE;
      case ULT -> UGT;
      case ULE -> UGE;
      case UGT -> ULT;
      case UGE -> ULE;
      default -> this;
    };
  }

  /** The relation of integers that holds when this one does not. */
  public Relation negated() {
    return switch (this) {
      case EQ -> NE;
      case NE -> EQ;
      case LT -> GE;
      case LE -> GT;
      case GT -> LE;
      case GE -> LT;
      case ULT -> UGE;
      case ULE -> UGT;
      case UGT -> ULE;
      case UGE -> ULT;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
