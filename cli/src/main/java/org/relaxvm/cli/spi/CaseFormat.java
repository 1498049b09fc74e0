package org.relaxvm.cli.spi;

import java.nio.file.Path;

/**
 * A format of cases for {@code relaxvm check}, found by {@link java.util.ServiceLoader}: programs
 * or functions with arguments and what they gave elsewhere.
 *
 * <p>A provider must be cheap to construct. Formats are asked in the order of the class path, those
 * of RelaxVM first; the first that accepts a path checks it. A directory that none accepts is
 * searched for cases one level deep.
 */
public interface CaseFormat {
  /** The name of the format, for messages: lower-case letters, digits and hyphens. */
  String name();

  /** What a case of this format is, in one line, such as {@code a folder with case.json}. */
  String description();

  /**
   * Whether a path holds cases of this format. Cheap: looks at names and the first bytes of files.
   *
   * @param path an existing file or directory
   */
  boolean accepts(Path path);

  /**
   * Runs all cases of a path and reports each with {@link CaseContext#report}.
   *
   * @param path accepted before
   * @throws org.relaxvm.api.error.RelaxException when the cases cannot be read; that one of them
   *     fails is reported instead
   */
  void check(Path path, CaseContext context);
}
