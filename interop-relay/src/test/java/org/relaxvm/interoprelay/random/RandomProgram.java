package org.relaxvm.interoprelay.random;

import java.util.Arrays;
import org.relaxvm.interoprelay.proposal.RelayModule;

/**
 * A program and arguments for its function {@code main}. It ends, and calls only functions of
 * {@link org.relaxvm.interoprelay.proposal.RelayTestFunctions}.
 */
public final class RandomProgram {
  /** The function to call. */
  public static final String MAIN = "main";

  private final RelayModule module;
  private final Object[] arguments;

  RandomProgram(RelayModule module, Object[] arguments) {
    this.module = module;
    this.arguments = arguments;
  }

  /** The program. */
  public RelayModule module() {
    return module;
  }

  /** The arguments, which no program writes. */
  public Object[] arguments() {
    return Arrays.copyOf(arguments, arguments.length);
  }
}
