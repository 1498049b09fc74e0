package org.relaxvm.cli.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a case.
 *
 * @param function what is called
 * @param args values in the case's own notation, see {@link CaseValues}
 * @param results the expected result in that notation
 * @param error the expected error, or null when the run must succeed
 */
public record CaseRun(
    String function, List<?> args, @Nullable Object results, @Nullable ExpectedError error) {

  /**
   * The error that a run must raise.
   *
   * @param kind such as {@code ValueError}
   * @param message the whole text, which may have a {@code Check failed} prefix
   */
  public record ExpectedError(String kind, String message) {}

  static CaseRun of(JsonFields fields) {
    ExpectedError error = null;
    if (fields.has("error")) {
      JsonFields text =
          new JsonFields(fields.where() + ", error", JsonFields.object(fields.get("error")));
      error = new ExpectedError(text.string("kind"), text.string("message"));
    }
    return new CaseRun(
        fields.string("function"), fields.list("args"), fields.get("results"), error);
  }
}
