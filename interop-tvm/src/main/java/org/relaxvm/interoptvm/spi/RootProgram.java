package org.relaxvm.interoptvm.spi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.program.ProgramMetadata;

/**
 * The program of a library, without its kernels. Immutable.
 *
 * @param executable Relax bytecode; the verifier checks it when the program is made
 * @param metadata what the program says of itself
 * @param facts what else is known of it, for people, by name; shown among the facts of the library
 */
public record RootProgram(
    Executable executable, ProgramMetadata metadata, SequencedMap<String, String> facts) {
  /** Copies the facts. */
  public RootProgram {
    facts = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(facts));
  }
}
