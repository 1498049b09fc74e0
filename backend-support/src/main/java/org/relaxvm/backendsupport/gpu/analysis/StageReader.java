package org.relaxvm.backendsupport.gpu.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;

/** Finds the stage that a statement is. */
public final class StageReader {
  private StageReader() {}

  /**
   * The stage of a statement; empty when it is something else than a block in its loops.
   *
   * @param function of which it is a statement
   * @param independent counters of loops whose iterations may run at the same time
   */
  public static Optional<Stage> read(PrimFunc function, Stmt statement, Set<Var> independent) {
    Optional<BlockRealize> realize = blockOf(statement);
    if (realize.isEmpty() || allocates(realize.get())) {
      return Optional.empty();
    }
    Nest nest = Nest.of(function, realize.get().block().name());
    List<For> parallel = new ArrayList<>();
    List<For> serial = new ArrayList<>();
    for (For loop : nest.loops()) {
      boolean free =
          !nest.isOpaque() && nest.spatial().contains(loop) && independent.contains(loop.loopVar());
      (free ? parallel : serial).add(loop);
    }
    // The extent of a loop may depend on the counter of one around it, which then comes first.
    boolean rectangular =
        parallel.stream()
            .allMatch(loop -> nest.loops().stream().noneMatch(o -> dependsOn(loop, o.loopVar())));
    return rectangular ? Optional.of(new Stage(nest, parallel, serial)) : Optional.empty();
  }

  /** The block of a statement that is only loops around one. */
  private static Optional<BlockRealize> blockOf(Stmt statement) {
    Stmt stmt = statement;
    while (stmt instanceof For loop) {
      stmt = loop.body();
    }
    return stmt instanceof BlockRealize realize ? Optional.of(realize) : Optional.empty();
  }

  /** Whether something inside needs memory of the device, of which there is only one. */
  private static boolean allocates(BlockRealize realize) {
    boolean[] found = {false};
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        found[0] |= block.allocBuffers().stream().anyMatch(b -> b.scope() == MemoryScope.GLOBAL);
        super.visit(block);
      }
    }.visit(realize);
    return found[0];
  }

  private static boolean dependsOn(For loop, Var counter) {
    return Nest.uses(loop.min(), counter) || Nest.uses(loop.extent(), counter);
  }
}
