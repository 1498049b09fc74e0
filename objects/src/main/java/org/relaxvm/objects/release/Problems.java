package org.relaxvm.objects.release;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** What has no counterpart in the other release, each with its path. Not thread-safe. */
final class Problems {
  private static final int MOST_SHOWN = 50;

  private final List<String> shown = new ArrayList<>();
  private int count;

  /** Adds a problem. */
  void add(String path, String text) {
    count++;
    if (shown.size() < MOST_SHOWN) {
      shown.add("\n  " + path + ": " + text);
    }
  }

  /**
   * Ends where there is a problem.
   *
   * @throws InvalidProgramException that lists all
   */
  void throwIfAny(String summary) {
    if (count > 0) {
      String more = count > shown.size() ? "\n  and " + (count - shown.size()) + " more" : "";
      throw new InvalidProgramException(ErrorKind.VALUE, summary + String.join("", shown) + more);
    }
  }
}
