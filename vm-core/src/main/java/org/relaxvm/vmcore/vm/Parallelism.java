package org.relaxvm.vmcore.vm;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.vmcore.dataflow.ParallelPolicy;

/**
 * How many independent calls of a program run at the same time, and when; see {@link
 * VmBuilder#parallelism(int)}. Immutable.
 *
 * @param calls the number of calls at most; at least 1
 * @param isMeasured whether calls run at the same time only where that is measured to be faster;
 *     otherwise they do wherever they can, which is for tests
 */
public record Parallelism(int calls, boolean isMeasured) {
  private static final String PROPERTY = "relaxvm.parallelism";
  private static final String ALWAYS = ",always";

  /** Checks the number. */
  public Parallelism {
    if (calls < 1) {
      throw new LinkException(
          ErrorKind.VALUE, "parallelism must be at least 1 call, but is " + calls);
    }
  }

  /** As many calls, where that is measured to be faster. */
  public static Parallelism of(int calls) {
    return new Parallelism(calls, true);
  }

  /** The same number of calls wherever they are independent. */
  public Parallelism always() {
    return new Parallelism(calls, false);
  }

  /** What virtual machines have unless another one is chosen. */
  static Parallelism preset() {
    String text = System.getProperty(PROPERTY, "1");
    boolean always = text.endsWith(ALWAYS);
    String number = always ? text.substring(0, text.length() - ALWAYS.length()) : text;
    try {
      return new Parallelism(Integer.parseInt(number), !always);
    } catch (NumberFormatException e) {
      throw new LinkException(
          ErrorKind.VALUE,
          "-D" + PROPERTY + "=" + text + " is no number\n  expected: 2, or 2" + ALWAYS,
          e);
    }
  }

  ParallelPolicy policy() {
    return new ParallelPolicy(calls, isMeasured, false, false);
  }
}
