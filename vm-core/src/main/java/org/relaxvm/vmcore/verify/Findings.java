package org.relaxvm.vmcore.verify;

import java.util.ArrayList;
import java.util.List;

/** Collects findings; keeps the first hundred, so that a hostile program cannot fill the memory. */
final class Findings {
  private static final int LIMIT = 100;

  private final List<Finding> kept = new ArrayList<>();
  private long errors;
  private long omitted;

  /** Whether a further finding would be kept, so that its text is worth making. */
  boolean isFull() {
    return kept.size() >= LIMIT;
  }

  void add(Severity severity, Rule rule, String where, String message) {
    if (severity == Severity.ERROR) {
      errors++;
    }
    if (isFull()) {
      omitted++;
    } else {
      kept.add(new Finding(severity, rule, where, message));
    }
  }

  boolean hasErrors() {
    return errors > 0;
  }

  long errorCount() {
    return errors;
  }

  List<Finding> list() {
    List<Finding> all = new ArrayList<>(kept);
    if (omitted > 0) {
      all.add(
          new Finding(
              errors > 0 ? Severity.ERROR : Severity.WARNING,
              Rule.MORE_FINDINGS,
              "the whole program",
              omitted + " more findings are not listed"));
    }
    return List.copyOf(all);
  }
}
