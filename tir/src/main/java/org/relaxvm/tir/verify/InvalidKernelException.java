package org.relaxvm.tir.verify;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.stmt.Stmt;

/** A kernel that breaks a rule, and the statements in which it does. */
public final class InvalidKernelException extends InvalidProgramException {
  private static final long serialVersionUID = 1L;

  private final transient List<Stmt> statements = new ArrayList<>();

  InvalidKernelException(String kernel, String problem) {
    super(ErrorKind.VALUE, "the kernel " + kernel + " is not valid: " + problem);
  }

  /** Adds the next outer statement. */
  void within(Stmt statement) {
    statements.add(statement);
  }

  /**
   * The statements that contain the violation, innermost first; empty if it is in the parameters,
   * in the attributes or in the kernel as a whole.
   */
  public List<Stmt> statements() {
    return List.copyOf(statements);
  }
}
