package org.relaxvm.cli.spi;

/**
 * What a run of a case came to. Immutable.
 *
 * @param caseName the name of the case, such as that of its folder
 * @param run the number of the run within the case, from 0
 * @param function what was called, or what the run is about
 * @param expectation what is expected beside a result, such as {@code (must fail with ValueError)};
 *     may be empty
 * @param verdict whether the run agrees with what is expected
 * @param reason what differs or what is missing; empty for a run that agrees
 */
public record CaseResult(
    String caseName, int run, String function, String expectation, Verdict verdict, String reason) {
  /** How a run ended. */
  public enum Verdict {
    /** The results are the expected ones. */
    AGREES,
    /** The results differ, or the run failed. */
    DIFFERS,
    /** The run needs something that is not there, such as a function; it says nothing. */
    UNSUPPORTED
  }
}
