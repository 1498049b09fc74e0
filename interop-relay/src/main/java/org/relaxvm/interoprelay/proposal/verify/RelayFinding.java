package org.relaxvm.interoprelay.proposal.verify;

/**
 * One violation of a rule. Immutable.
 *
 * @param where such as {@code function main, instruction 3: Mov $5, $3}
 * @param message what is wrong, what was expected, what is there, what to do
 */
public record RelayFinding(String where, String message) {
  /** The message and, on the last line, the location. */
  @Override
  public String toString() {
    return message + "\n  at " + where;
  }
}
