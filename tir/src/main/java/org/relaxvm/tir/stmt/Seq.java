package org.relaxvm.tir.stmt;

import java.util.List;

/** Statements one after the other; none does nothing. */
public record Seq(List<Stmt> statements) implements Stmt {
  /** Copies the list. */
  public Seq {
    statements = List.copyOf(statements);
  }

  /** One after the other; a single one stays as it is. */
  public static Stmt of(List<? extends Stmt> statements) {
    return statements.size() == 1 ? statements.getFirst() : new Seq(List.copyOf(statements));
  }
}
