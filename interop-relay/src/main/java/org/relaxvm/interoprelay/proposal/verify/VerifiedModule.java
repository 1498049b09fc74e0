package org.relaxvm.interoprelay.proposal.verify;

import java.util.List;
import org.relaxvm.interoprelay.proposal.RelayModule;

/**
 * A program that follows all rules.
 *
 * @param module the program
 * @param functions in order of their indices
 */
public record VerifiedModule(RelayModule module, List<VerifiedFunction> functions) {
  /** Copies the list. */
  public VerifiedModule {
    functions = List.copyOf(functions);
  }
}
