package org.relaxvm.cli.check;

import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.spi.CaseResult.Verdict;

/**
 * What it means that the program of a case cannot be loaded or linked: without a function that it
 * needs, the case says nothing; all else is a failure of the case.
 *
 * @param reason for people
 */
public record LinkVerdict(Verdict verdict, String reason) {
  /** What Apache TVM's text of a missing function contains. */
  private static final String MISSING = "Cannot find";

  /** The verdict on a failure. */
  public static LinkVerdict of(RelaxException failure) {
    return failure instanceof LinkException
            && failure.tvmMessage().filter(text -> text.contains(MISSING)).isPresent()
        ? new LinkVerdict(Verdict.UNSUPPORTED, failure.summary())
        : new LinkVerdict(Verdict.DIFFERS, failure.kind() + ": " + failure.getMessage());
  }
}
