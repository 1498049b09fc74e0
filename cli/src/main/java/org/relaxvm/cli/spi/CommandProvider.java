package org.relaxvm.cli.spi;

import org.relaxvm.cli.output.Console;

/**
 * A further subcommand of {@code relaxvm}, found by {@link java.util.ServiceLoader}.
 *
 * <p>Providers are asked for name and description whenever the list of commands is printed or a
 * name is not built in. A provider must therefore be cheap to construct and must not refer to the
 * class of its command outside of {@link #command}, so that the class is loaded only when the
 * command runs or its help is printed.
 *
 * <p>A provider whose name is that of a built-in command, or of a provider before it on the class
 * path, is not used; the list of commands says so.
 */
public interface CommandProvider {
  /** The name of the command: lower-case letters, digits and hyphens. */
  String name();

  /** What the command does, in one line, for the list of commands. */
  String description();

  /**
   * Creates the command: an object of a class with picocli's {@code @Command} annotation that
   * implements {@code Callable<Integer>} and returns the exit code. A {@link
   * org.relaxvm.api.error.RelaxException} that it throws becomes one message and exit code 1.
   *
   * @param console where the command prints
   */
  Object command(Console console);
}
