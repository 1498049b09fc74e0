package org.relaxvm.tir.verify;

import java.util.EnumSet;
import java.util.Set;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/** Loops that run on threads and vectors have what those can do inside. */
final class Threads extends CheckVisitor {
  private final String kernel;
  private final Set<ThreadAxis> bound = EnumSet.noneOf(ThreadAxis.class);
  private boolean inVector;

  Threads(String kernel) {
    this.kernel = kernel;
  }

  @Override
  void check(Stmt stmt) {
    switch (stmt) {
      case For loop when loop.thread().isPresent() -> visitBound(loop, loop.thread().get());
      case For loop when loop.kind() == ForKind.VECTORIZED -> visitVectors(loop);
      case CallPacked call when inVector ->
          throw Verifier.invalid(
              kernel, "it calls " + call.name() + " in lanes of vectors, which cannot call");
      default -> super.check(stmt);
    }
  }

  private void visitBound(For loop, ThreadAxis axis) {
    if (axis != ThreadAxis.VIRTUAL && !bound.add(axis)) {
      throw Verifier.invalid(
          kernel,
          "the loop over "
              + loop.loopVar()
              + " is bound to "
              + axis.text()
              + ", as is a loop around it");
    }
    super.check(loop);
    bound.remove(axis);
  }

  private void visitVectors(For loop) {
    if (inVector) {
      throw Verifier.invalid(
          kernel, "the loop over " + loop.loopVar() + " is vectorized, as is a loop around it");
    }
    inVector = true;
    super.check(loop);
    inVector = false;
  }
}
