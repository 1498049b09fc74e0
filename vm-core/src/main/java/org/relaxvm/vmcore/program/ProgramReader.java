package org.relaxvm.vmcore.program;

import java.nio.file.Path;
import java.util.List;

/**
 * Reads programs of one file format. Found by {@link java.util.ServiceLoader}: list the class in
 * {@code META-INF/services/org.relaxvm.vmcore.program.ProgramReader} and, for the module path, in
 * {@code module-info}.
 *
 * <p>A reader is chosen by the content of a file and never by its name. Constructing a reader and
 * asking {@link #accepts} is cheap, has no side effects and never throws.
 *
 * <p>Thread-safe.
 */
public interface ProgramReader {
  /**
   * The version of this interface, copied by the compiler into each reader that returns it from
   * {@link #spiVersion()}.
   */
  int SPI_VERSION = 1;

  /** The version that the reader was compiled against: return {@link #SPI_VERSION}. */
  int spiVersion();

  /** A short name for messages, such as {@code rvm}. */
  String name();

  /**
   * What the reader reads, for messages, such as {@code a RelaxVM package (a zip archive that
   * starts with manifest.json)}.
   */
  String describe();

  /** Whether programs may lack constants, which {@link LoadOptions#params()} then gives. */
  default boolean takesParams() {
    return false;
  }

  /** Whether kernels may be in a file of their own, {@link LoadOptions#library()}. */
  default boolean takesLibrary() {
    return false;
  }

  /** The options of the format; {@link LoadOptions#settings()} has no others. */
  default List<FormatOption> options() {
    return List.of();
  }

  /** Whether the file that starts so is of this reader's format. */
  boolean accepts(FileHead head);

  /**
   * Reads a program.
   *
   * @param path a regular file that {@link #accepts} has accepted
   * @return the verified program
   * @throws org.relaxvm.api.error.MalformedFileException when the file breaks its format
   * @throws org.relaxvm.api.error.InvalidProgramException when the verifier refuses the program
   */
  Program read(Path path, LoadOptions options);
}
