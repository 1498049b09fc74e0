package org.relaxvm.tir.stmt;

/** The kind of an axis of a block. */
public enum IterKind {
  /** Spatial: each point writes its own elements, in any order. */
  SPATIAL("S"),
  /** Reduction: points update the same elements; their order affects rounding only. */
  REDUCE("R"),
  /** Points must follow each other in order. */
  OPAQUE("O");

  private final String text;

  IterKind(String text) {
    this.text = text;
  }

  /** The letter of the text form. */
  public String text() {
    return text;
  }
}
