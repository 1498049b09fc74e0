package org.relaxvm.compiler.objects.node;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** What cannot be held, with its path: all of it is said at once. Not thread-safe. */
public final class Problems {
  private static final int MAX_SHOWN = 50;

  private final List<String> shown = new ArrayList<>();
  private int count;

  /** No problems yet. */
  public Problems() {}

  /**
   * Notes a problem.
   *
   * @param path where, as {@code <root>.functions[I.GlobalVar("main")].body}
   * @param text what, such as {@code ScopeIdDefStmt cannot be held}
   */
  public void add(String path, String text) {
    count++;
    if (shown.size() < MAX_SHOWN) {
      shown.add("\n  " + path + ": " + text);
    }
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Ends where there is a problem.
   *
   * @throws InvalidProgramException that lists all
   */
  public void throwIfAny(String summary) {
    if (count > 0) {
      int more = count - shown.size();
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          summary + String.join("", shown) + (more > 0 ? "\n  and " + more + " more" : ""));
    }
  }
}
