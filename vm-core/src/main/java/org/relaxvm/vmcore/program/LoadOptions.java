package org.relaxvm.vmcore.program;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
 * @param settings values for options of the format, in order; formats refuse what is not among
 *     their {@link ProgramReader#options()}
 * @param progress is told how far the program is loaded, by formats that are compiled
 */
public record LoadOptions(
    ReadOptions executable,
    boolean allowNativeCode,
    Optional<Path> params,
    Optional<Path> library,
    List<FormatSetting> settings,
    LoadProgress progress) {
  /** Every era of the format is tried, and no native code is loaded. */
  public static final LoadOptions DEFAULT =
      new LoadOptions(
          ReadOptions.DEFAULT.withAcceptance(Verifier::verify),
          false,
          Optional.empty(),
          Optional.empty(),
          List.of(),
          LoadProgress.NONE);

  /** Copies the list. */
  public LoadOptions {
    settings = List.copyOf(settings);
  }

  /** The same with other options for bytecode. */
  public LoadOptions withExecutable(ReadOptions options) {
    return new LoadOptions(options, allowNativeCode, params, library, settings, progress);
  }

  /** The same with native code allowed or not. */
  public LoadOptions withNativeCode(boolean allowed) {
    return new LoadOptions(executable, allowed, params, library, settings, progress);
  }

  /** The same with the constants of a {@code .params} file. */
  public LoadOptions withParams(Path file) {
    return new LoadOptions(
        executable, allowNativeCode, Optional.of(file), library, settings, progress);
  }

  /** The same with the kernels of a native library, which {@link #withNativeCode} must allow. */
  public LoadOptions withLibrary(Path file) {
    return new LoadOptions(
        executable, allowNativeCode, params, Optional.of(file), settings, progress);
  }

  /**
   * The same with one more value for an option of the format, such as {@code batch=1} for {@code
   * bind}.
   */
  public LoadOptions withSetting(String option, String value) {
    List<FormatSetting> more = new ArrayList<>(settings);
    more.add(new FormatSetting(option, value));
    return new LoadOptions(executable, allowNativeCode, params, library, more, progress);
  }

  /** The same with a listener that is told how far the program is loaded. */
  public LoadOptions withProgress(LoadProgress listener) {
    return new LoadOptions(executable, allowNativeCode, params, library, settings, listener);
  }
}
