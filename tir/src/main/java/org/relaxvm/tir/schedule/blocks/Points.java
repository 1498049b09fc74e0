package org.relaxvm.tir.schedule.blocks;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessFootprint;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.nest.Parts;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/** What must hold of blocks so that their points can be visited by other loops than their own. */
final class Points {
  private Points() {}

  /** Refuses a block that does not visit all points of its domain, or not in any order. */
  static void requireAll(PrimFunc function, StmtPath path, String what) {
    BlockRealize realize = (BlockRealize) path.stmt();
    Block block = realize.block();
    for (IterVar axis : block.iterVars()) {
      if (axis.kind() == IterKind.OPAQUE) {
        throw Refusal.of(
            what,
            "the points of the axis "
                + axis.var()
                + " of the block "
                + block.name()
                + " must follow each other in order");
      }
    }
    if (Parts.isPart(block)) {
      throw Refusal.of(
          what,
          "the block " + block.name() + " visits a part of its domain, and another block the rest");
    }
    if (!followsFromDomain(function, path, realize)) {
      throw Refusal.of(
          what,
          "the block "
              + block.name()
              + " runs on a condition that says more than that its axes are in their domains");
    }
  }

  private static boolean followsFromDomain(PrimFunc function, StmtPath path, BlockRealize realize) {
    if (realize.predicate().equals(IntImm.of(true))) {
      return true;
    }
    PrimExpr inDomain = IntImm.of(true);
    for (int i = 0; i < realize.iterValues().size(); i++) {
      PrimExpr value = realize.iterValues().get(i);
      Range domain = realize.block().iterVars().get(i).domain();
      PrimExpr end = Exprs.add(domain.min(), domain.extent());
      inDomain =
          Exprs.and(inDomain, Exprs.and(Exprs.le(domain.min(), value), Exprs.lt(value, end)));
    }
    Analyzer analyzer = AccessFootprint.known(function, path.stmts());
    try (Analyzer.Scope scope = analyzer.withConstraint(inDomain)) {
      return analyzer.canProve(realize.predicate());
    }
  }

  /** Refuses conditions and variables around a statement. */
  static void requireOnlyLoops(List<Stmt> path, String which, String what) {
    for (Stmt around : path) {
      if (around instanceof IfThenElse || around instanceof Let) {
        throw Refusal.of(
            what,
            which
                + (around instanceof Let(Var var, PrimExpr value, Stmt body)
                    ? " is in the scope of the variable " + var
                    : " is in one branch of an if"));
      }
    }
  }

  /** The number of an axis. */
  static int indexOf(Block block, Var axis) {
    return block.iterVars().stream().map(IterVar::var).toList().indexOf(axis);
  }

  /**
   * The axes that are the indices of each output of a block: all its spatial axes, each of them
   * once.
   */
  static Map<Buffer, List<Var>> written(Block block, String what) {
    long spatial =
        block.iterVars().stream().filter(axis -> axis.kind() == IterKind.SPATIAL).count();
    Map<Buffer, List<Var>> outputs = new HashMap<>();
    AccessRegions regions = AccessRegions.of(block);
    for (BufferRegion region : regions.writes()) {
      List<Var> axes =
          axes(block, region)
              .filter(vars -> vars.size() == spatial)
              .orElseThrow(
                  () ->
                      Refusal.of(
                          what,
                          "the indices of "
                              + region.buffer()
                              + " in the block "
                              + block.name()
                              + " are not its spatial axes, each of them once"));
      outputs.put(region.buffer(), axes);
    }
    for (BufferRegion region : regions.reads()) {
      if (outputs.containsKey(region.buffer()) && !regions.writes().contains(region)) {
        throw Refusal.of(
            what,
            "the block " + block.name() + " reads other elements of " + region.buffer() + " too");
      }
    }
    return outputs;
  }

  /** The spatial axes that are the indices of a region that is one point. */
  static Optional<List<Var>> axes(Block block, BufferRegion region) {
    HashSet<Var> spatial = new HashSet<>();
    block.iterVars().stream()
        .filter(axis -> axis.kind() == IterKind.SPATIAL)
        .forEach(axis -> spatial.add(axis.var()));
    boolean plain =
        region.ranges().stream()
            .allMatch(
                range ->
                    range.extent().equals(IntImm.of(1))
                        && range.min() instanceof Var var
                        && spatial.remove(var));
    return plain
        ? Optional.of(region.ranges().stream().map(range -> (Var) range.min()).toList())
        : Optional.empty();
  }
}
