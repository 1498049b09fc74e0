package org.relaxvm.vmcore.executable;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * How an executable is read. Immutable; thread-safe when the acceptance test is.
 *
 * @param era the form of the format; empty to find out
 * @param strict whether bytes after the end are an error instead of a warning
 * @param acceptance what a reading must pass, besides using up all bytes, when the era has to be
 *     found out among A to C; throws {@link org.relaxvm.api.error.InvalidProgramException} to
 *     refuse it. Pass {@code Verifier::verify}.
 */
public record ReadOptions(Optional<Era> era, boolean strict, Consumer<Executable> acceptance) {
  /** The era is found out by the file's structure, bytes after the end are a warning. */
  public static final ReadOptions DEFAULT = new ReadOptions(Optional.empty(), false, _ -> {});

  /** The same for files of one era. */
  public ReadOptions withEra(Era newEra) {
    return new ReadOptions(Optional.of(newEra), strict, acceptance);
  }

  /** The same with bytes after the end refused or not. */
  public ReadOptions withStrict(boolean newStrict) {
    return new ReadOptions(era, newStrict, acceptance);
  }

  /** The same with another acceptance test. */
  public ReadOptions withAcceptance(Consumer<Executable> newAcceptance) {
    return new ReadOptions(era, strict, newAcceptance);
  }
}
