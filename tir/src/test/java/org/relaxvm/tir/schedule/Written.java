package org.relaxvm.tir.schedule;

import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.text.TirText;

/** Kernels to schedule that are written as text, whose loops have names. */
final class Written {
  private static final String HEAD =
      """
      @T.prim_func(private=True)
      def f(A: T.Buffer((8,), "int64"), C: T.Buffer((8,), "int64"), M: T.Buffer((8, 8), "int64")):
          with T.block("root"):
              B = T.alloc_buffer((8,), "int64")
              D = T.alloc_buffer((8,), "int64")
              N = T.alloc_buffer((8, 8), "int64")
      """;

  final Schedule schedule;

  private Written(PrimFunc function) {
    schedule = new Schedule(function);
  }

  /**
   * The kernel of these statements, which may use the parameters {@code A}, {@code C} and {@code M}
   * and the temporaries {@code B}, {@code D} and {@code N}. Blocks read and write what they do.
   */
  static Written kernel(String statements) {
    return new Written(
        new IrMutator() {
          @Override
          public Block rewrite(Block block) {
            Block inside = super.rewrite(block);
            return inside.name().equals("root") ? inside : BlockRegions.declared(inside);
          }
        }.rewrite(TirText.parse(HEAD + statements.indent(8), "f").getFirst()));
  }

  /** A block that copies {@code A} into {@code B} and one that copies that into {@code C}. */
  static Written copies() {
    return kernel(
        """
        for i in range(8):
            with T.block("first"):
                v = T.axis.spatial(8, i)
                B[v] = A[v]
        for j in range(8):
            with T.block("second"):
                w = T.axis.spatial(8, j)
                C[w] = B[w]
        """);
  }

  /** The counter of the one loop of a name. */
  Var loop(String name) {
    Var[] found = new Var[1];
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof For loop && loop.loopVar().name().equals(name)) {
          found[0] = loop.loopVar();
        }
        super.visit(stmt);
      }
    }.visit(schedule.function());
    return found[0];
  }

  /** The one buffer of a name. */
  Buffer buffer(String name) {
    Buffer[] found = new Buffer[1];
    new IrVisitor() {
      @Override
      public void visitBufferDefinition(Buffer buffer) {
        if (buffer.name().equals(name)) {
          found[0] = buffer;
        }
        super.visitBufferDefinition(buffer);
      }
    }.visit(schedule.function());
    return found[0];
  }
}
