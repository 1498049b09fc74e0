package org.relaxvm.tir.verify;

import java.util.List;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.stmt.For;

/** Verifies the rules of the kernel IR. */
public final class Verifier {
  private Verifier() {}

  /**
   * Checks a kernel.
   *
   * @return accesses that must be checked at run time and loops that must run serially, because
   *     they could not be proved: the results of {@link #unprovenAccesses} and {@link
   *     #unprovenLoops}
   * @throws InvalidKernelException a {@code ValueError} that names the first violated rule
   */
  public static Unproven verify(PrimFunc function) {
    new HostRules(function).visit(function);
    new Definitions(function.name()).visit(function);
    new Returns(function).check();
    new Threads(function.name()).visit(function);
    new DeclaredRegions(function.name()).visit(function);
    return new Unproven(unprovenAccesses(function), unprovenLoops(function));
  }

  /**
   * The indices of a valid kernel that could not be proved in bounds; they must be checked at run
   * time.
   *
   * @throws InvalidKernelException a {@code ValueError} for an index that is always out of bounds
   */
  public static List<Access> unprovenAccesses(PrimFunc function) {
    Bounds bounds = new Bounds(function.name());
    bounds.visit(function);
    return bounds.unproven();
  }

  /**
   * The concurrent loops of a valid kernel whose iterations could not be proved independent; they
   * must run serially.
   *
   * @throws InvalidKernelException a {@code ValueError} for a loop whose iterations all write the
   *     same element
   */
  public static List<For> unprovenLoops(PrimFunc function) {
    Races races = new Races(function.name());
    races.visit(function);
    return races.unproven();
  }

  static InvalidKernelException invalid(String kernel, String problem) {
    return new InvalidKernelException(kernel, problem);
  }
}
