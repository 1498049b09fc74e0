package org.relaxvm.interoptvm.object;

/** What a symbol stands for. */
public enum SymbolKind {
  /** Code. */
  FUNCTION,
  /** A variable or a constant. */
  DATA,
  /** Something else: an absolute number, a thread's own variable, a name without a type. */
  OTHER
}
