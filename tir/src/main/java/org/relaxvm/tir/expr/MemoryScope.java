package org.relaxvm.tir.expr;

/** Where a buffer lies. */
public enum MemoryScope {
  /** Memory of the device, which all threads see. */
  GLOBAL("global"),
  /** Memory that the threads of one group share. */
  SHARED("shared"),
  /** Memory of one thread: registers or its stack. */
  LOCAL("local");

  private final String text;

  MemoryScope(String text) {
    this.text = text;
  }

  /** As the text form writes it. */
  public String text() {
    return text;
  }
}
