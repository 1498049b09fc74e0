package org.relaxvm.vmcore.program;

import java.nio.file.Path;
import java.util.Optional;
import org.relaxvm.vmcore.executable.ReadOptions;
import org.relaxvm.vmcore.verify.Verifier;

/**
 * How a program is loaded. Immutable.
 *
 * @param executable which era of the format bytecode has; when strict, bytes after the end and
 *     reads of registers that may be unassigned are errors
 * @param allowNativeCode whether a reader may load a native library that comes with the program;
 *     loading one runs its code, so it must be trusted
 * @param params a {@code .params} file with the constants that the program's file lacks; programs
 *     that lack none refuse it
 * @param library a native library with the kernels of a program that is in a file of its own;
 *     formats without such libraries refuse it
 */
public record LoadOptions(
    ReadOptions executable,
    boolean allowNativeCode,
    Optional<Path> params,
    Optional<Path> library) {
  /** Every era of the format is tried, and no native code is loaded. */
  public static final LoadOptions DEFAULT =
      new LoadOptions(
          ReadOptions.DEFAULT.withAcceptance(Verifier::verify),
          false,
          Optional.empty(),
          Optional.empty());

  /** The same with other options for bytecode. */
  public LoadOptions withExecutable(ReadOptions options) {
    return new LoadOptions(options, allowNativeCode, params, library);
  }

  /** The same with native code allowed or not. */
  public LoadOptions withNativeCode(boolean allowed) {
    return new LoadOptions(executable, allowed, params, library);
  }

  /** The same with the constants of a {@code .params} file. */
  public LoadOptions withParams(Path file) {
    return new LoadOptions(executable, allowNativeCode, Optional.of(file), library);
  }

  /** The same with the kernels of a native library, which {@link #withNativeCode} must allow. */
  public LoadOptions withLibrary(Path file) {
    return new LoadOptions(executable, allowNativeCode, params, Optional.of(file));
  }
}
