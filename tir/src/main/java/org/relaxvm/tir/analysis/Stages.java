package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;

/** The stages of a kernel: blocks that are not inside of others but the root. */
public final class Stages {
  private Stages() {}

  /** The names of the stages in order. */
  public static List<String> of(PrimFunc function) {
    List<String> names = new ArrayList<>();
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof BlockRealize realize && !realize.block().name().equals(Block.ROOT)) {
          names.add(realize.block().name());
        } else if (stmt instanceof BlockRealize root) {
          visit(root.block().body());
        } else {
          super.visit(stmt);
        }
      }
    }.visit(function.body());
    return names;
  }

  /** Whether each stage is alone in its loops, as kernels are before they are scheduled. */
  public static boolean areApart(PrimFunc function) {
    List<String> names = of(function);
    return names.stream().distinct().count() == names.size()
        && names.stream()
            .map(name -> Nest.of(function, name))
            .allMatch(
                nest -> nest.loops().isEmpty() || reaches(nest.loops().getFirst(), nest.realize()));
  }

  /** Whether there are only loops between a statement and one inside. */
  @SuppressWarnings("ReferenceEquality") // that very block
  private static boolean reaches(Stmt outer, BlockRealize block) {
    Stmt stmt = outer;
    while (stmt instanceof For loop) {
      stmt = loop.body();
    }
    return stmt == block;
  }
}
