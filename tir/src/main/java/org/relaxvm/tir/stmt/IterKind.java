package org.relaxvm.tir.stmt;

/** What an axis of a block means. */
public enum IterKind {
  /** Each point writes elements of its own, in any order. */
  SPATIAL("S"),
  /** Points update the same elements; their order changes at most rounding. */
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
