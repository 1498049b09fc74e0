package org.relaxvm.vmcore.verify;

/**
 * One violation of a rule. Immutable.
 *
 * @param where such as {@code function main, pc 3: call f in: %5 dst: %void}
 * @param message what is wrong, what was expected, what is there
 */
public record Finding(Severity severity, Rule rule, String where, String message) {
  /** The message, the location and the rule, on three lines. */
  @Override
  public String toString() {
    return message + "\n  at " + where + "\n  rule: " + rule.title();
  }
}
