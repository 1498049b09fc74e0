package org.relaxvm.vmcore.executable;

import java.util.List;

/**
 * An entry of the function table. Source: docs/spec/executable-format.md, section 2.1. Immutable.
 *
 * @param startInstr first instruction; 0 unless bytecode
 * @param endInstr one past the last instruction; 0 unless bytecode
 * @param numArgs number of parameters; {@link #DECLARED_ONLY} for functions that are only called
 * @param registerFileSize number of registers; 0 for packed functions
 * @param paramNames empty, or one name per parameter
 */
public record FunctionInfo(
    FunctionKind kind,
    String name,
    long startInstr,
    long endInstr,
    long numArgs,
    long registerFileSize,
    List<String> paramNames) {
  /** The parameter count of functions that are only called. */
  public static final long DECLARED_ONLY = -2;

  /** Copies the names. */
  public FunctionInfo {
    paramNames = List.copyOf(paramNames);
  }

  /** A packed function that the program calls. */
  public static FunctionInfo packed(String name) {
    return new FunctionInfo(FunctionKind.PACKED, name, 0, 0, DECLARED_ONLY, 0, List.of());
  }
}
