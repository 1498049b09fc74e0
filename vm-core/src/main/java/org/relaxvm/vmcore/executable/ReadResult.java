package org.relaxvm.vmcore.executable;

import java.util.List;

/**
 * What was read. Immutable.
 *
 * @param executable the program; not verified
 * @param era the form of the format that it had
 * @param warnings what a user should know, one sentence each
 */
public record ReadResult(Executable executable, Era era, List<String> warnings) {
  /** Copies the warnings. */
  public ReadResult {
    warnings = List.copyOf(warnings);
  }
}
