package org.relaxvm.backendcpu.jit.run;

import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** How much statements do, and what it depends on. */
final class Work {
  private Work() {}

  /**
   * How many iterations of a parallel loop are worth a thread: as its schedule says, where an
   * iteration runs what is innermost as often as loops of constant extent say; fewer where extents
   * that only a call knows make an iteration longer.
   */
  static PrimExpr grain(Node.Loop loop, LoopProgram program) {
    PrimExpr work = work(loop.body(), program);
    return work instanceof IntImm
        ? IntImm.of(loop.grain())
        : Exprs.binary(BinaryOp.DIV, IntImm.of(loop.grain()), Exprs.max(IntImm.of(1), work));
  }

  private static PrimExpr work(Node node, LoopProgram program) {
    PrimExpr inside = IntImm.of(1);
    for (Node child : node.children()) {
      PrimExpr other = work(child, program);
      boolean isOne = other instanceof IntImm one && one.value() == 1;
      inside = isOne ? inside : inside instanceof IntImm ? other : Exprs.max(inside, other);
    }
    return node instanceof Node.Loop loop
            && !(loop.extent() instanceof IntImm)
            && Values.computes(loop.extent())
            && isOf(loop.extent(), program)
        ? Exprs.mul(inside, Exprs.max(IntImm.of(1), loop.extent()))
        : inside;
  }

  /** Whether an expression is one of variables of the kernel alone. */
  private static boolean isOf(PrimExpr expr, LoopProgram program) {
    return expr instanceof Var var
        ? program.variables().contains(var)
        : expr.operands().stream().allMatch(operand -> isOf(operand, program));
  }

  /** Whether the size or shape of memory depends on a variable. */
  static boolean uses(Node.Allocate allocate, Var var) {
    return uses(allocate.size(), var)
        || allocate.shape().stream().anyMatch(extent -> uses(extent, var));
  }

  private static boolean uses(PrimExpr expr, Var var) {
    return expr.equals(var) || expr.operands().stream().anyMatch(operand -> uses(operand, var));
  }

  /** Whether an expression reads memory, or fails where a divisor is 0. */
  static boolean readsOrDivides(PrimExpr expr) {
    boolean here =
        switch (expr) {
          case BufferLoad _ -> true;
          case Binary(BinaryOp op, PrimExpr _, PrimExpr _) ->
              switch (op) {
                case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> true;
                default -> false;
              };
          default -> false;
        };
    return here || expr.operands().stream().anyMatch(Work::readsOrDivides);
  }
}
