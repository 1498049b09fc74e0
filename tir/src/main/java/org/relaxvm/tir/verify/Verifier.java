package org.relaxvm.tir.verify;

import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.stmt.For;

/** Checks that a kernel keeps the rules of the kernel IR. */
public final class Verifier {
  private Verifier() {}

  /**
   * Checks a kernel.
   *
   * @return what has to be checked, or run in turn, because it cannot be shown to be right: the
   *     same as {@link #unprovenAccesses} and {@link #unprovenLoops} give
   * @throws InvalidProgramException a {@code ValueError} that names the first rule that is broken
   */
  public static Unproven verify(PrimFunc function) {
    new Definitions(function.name()).visit(function);
    new Returns(function).check();
    new Threads(function.name()).visit(function);
    new DeclaredRegions(function.name()).visit(function);
    return new Unproven(unprovenAccesses(function), unprovenLoops(function));
  }

  /**
   * The indices of a valid kernel that cannot be shown to be inside of their buffers: whoever runs
   * it has to check them.
   *
   * @throws InvalidProgramException a {@code ValueError} for one that is surely outside
   */
  public static List<Access> unprovenAccesses(PrimFunc function) {
    Bounds bounds = new Bounds(function.name());
    bounds.visit(function);
    return bounds.unproven();
  }

  /**
   * The loops of a valid kernel that may run their iterations at the same time, and of which it
   * cannot be shown that no two iterations work on one element: to be run one iteration after the
   * other.
   *
   * @throws InvalidProgramException a {@code ValueError} for a loop whose iterations all write one
   *     element
   */
  public static List<For> unprovenLoops(PrimFunc function) {
    Races races = new Races(function.name());
    races.visit(function);
    return races.unproven();
  }

  static InvalidProgramException invalid(String kernel, String problem) {
    return new InvalidProgramException(
        ErrorKind.VALUE, "the kernel " + kernel + " is not valid: " + problem);
  }
}
