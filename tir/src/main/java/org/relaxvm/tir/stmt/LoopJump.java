package org.relaxvm.tir.stmt;

/** Leaves the innermost loop, or its iteration. In host functions only. */
public enum LoopJump implements Stmt {
  /** Goes on after the loop. */
  BREAK("break"),
  /** Goes on with the next iteration. */
  CONTINUE("continue");

  private final String text;

  LoopJump(String text) {
    this.text = text;
  }

  /** As the text form writes it. */
  public String text() {
    return text;
  }
}
