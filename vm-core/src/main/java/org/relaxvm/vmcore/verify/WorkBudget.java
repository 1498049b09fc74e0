package org.relaxvm.vmcore.verify;

/** A bound on the work of an analysis that is not linear, so that no program can make it hang. */
final class WorkBudget {
  private long left;

  WorkBudget(long steps) {
    left = steps;
  }

  void spend(long steps) {
    left -= steps;
  }

  boolean isSpent() {
    return left < 0;
  }
}
