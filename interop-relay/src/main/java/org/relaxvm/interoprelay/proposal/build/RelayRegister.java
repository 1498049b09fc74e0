package org.relaxvm.interoprelay.proposal.build;

/**
 * A register of the function that is being built; {@link RelayFunctionBuilder} hands it out.
 *
 * @param number from 0; parameters come first
 */
public record RelayRegister(int number) {
  @Override
  public String toString() {
    return "$" + number;
  }
}
