package org.relaxvm.tir.expr;

/** Numbers of things in messages. */
public final class Count {
  private Count() {}

  /**
   * A number and what there is of it: {@code 1 axis}, {@code 2 axes}.
   *
   * @param one the word for one of them
   * @param many the word for another number of them
   */
  public static String of(int number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  /** A number of axes. */
  public static String axes(int number) {
    return of(number, "axis", "axes");
  }

  /** A number of arguments. */
  public static String arguments(int number) {
    return of(number, "argument", "arguments");
  }
}
