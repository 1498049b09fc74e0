package org.relaxvm.vmcore.program;

import org.relaxvm.vmcore.executable.ReadOptions;
import org.relaxvm.vmcore.verify.Verifier;

/**
 * How a program is loaded. Immutable.
 *
 * @param executable which era of the format bytecode has; when strict, bytes after the end and
 *     reads of registers that may be unassigned are errors
 * @param allowNativeCode whether a reader may load a native library that comes with the program;
 *     loading one runs its code, so it must be trusted
 */
public record LoadOptions(ReadOptions executable, boolean allowNativeCode) {
  /** Every era of the format is tried, and no native code is loaded. */
  public static final LoadOptions DEFAULT =
      new LoadOptions(ReadOptions.DEFAULT.withAcceptance(Verifier::verify), false);

  /** The same with other options for bytecode. */
  public LoadOptions withExecutable(ReadOptions options) {
    return new LoadOptions(options, allowNativeCode);
  }

  /** The same with native code allowed or not. */
  public LoadOptions withNativeCode(boolean allowed) {
    return new LoadOptions(executable, allowed);
  }
}
