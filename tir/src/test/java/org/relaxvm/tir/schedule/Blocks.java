package org.relaxvm.tir.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/** Blocks to schedule. */
final class Blocks {
  private Blocks() {}

  /** A block that stores 1 at a point of a buffer of floats. */
  static Stmt store(String name, Buffer buffer, List<Var> point) {
    List<IterVar> axes = new ArrayList<>();
    for (int i = 0; i < point.size(); i++) {
      Range domain = new Range(IntImm.of(0), buffer.shape().get(i));
      axes.add(new IterVar(Var.index("v" + i), domain, IterKind.SPATIAL));
    }
    List<PrimExpr> indices = axes.stream().<PrimExpr>map(IterVar::var).toList();
    Stmt body = new BufferStore(buffer, new FloatImm(buffer.dtype(), 1), indices);
    Block block =
        new Block(
            name,
            axes,
            List.of(),
            AccessRegions.of(body).writes(),
            List.of(),
            Optional.empty(),
            body,
            Map.of());
    return BlockRealize.always(block, point);
  }

  /** A block around a statement that uses the counters of loops: it has an axis for each. */
  static Stmt around(String name, Stmt stmt, List<For> loops) {
    List<IterVar> axes = new ArrayList<>();
    List<Var> counters = new ArrayList<>();
    Map<Var, Var> renamed = new HashMap<>();
    for (For loop : loops) {
      Var var = Var.index("v_" + loop.loopVar().name());
      renamed.put(loop.loopVar(), var);
      counters.add(loop.loopVar());
      axes.add(new IterVar(var, new Range(loop.min(), loop.extent()), IterKind.SPATIAL));
    }
    Stmt body = new Substitution(renamed).rewrite(stmt);
    return BlockRealize.always(BlockRegions.block(name, axes, Optional.empty(), body), counters);
  }
}
