package org.relaxvm.tir.schedule.blocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessFootprint;
import org.relaxvm.tir.analysis.NestMatch;
import org.relaxvm.tir.analysis.TensorIntrinsic;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Replacement;
import org.relaxvm.tir.schedule.nest.Separation;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A nest of loops as one block that stands for an intrinsic.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why does a loop nest that stands for an intrinsic stay in
 * its block?"
 */
public final class Tensorization {
  private final PrimFunc function;
  private final StmtPath at;
  private final For loop;
  private final TensorIntrinsic intrinsic;
  private final String what;
  private final List<IterVar> axes = new ArrayList<>();
  private final List<Var> counters = new ArrayList<>();
  private final Map<Var, Var> renamed = new HashMap<>();

  private Tensorization(PrimFunc function, StmtPath at, TensorIntrinsic intrinsic) {
    this.function = function;
    this.at = at;
    this.intrinsic = intrinsic;
    loop = (For) at.stmt();
    what = "to tensorize the loop over " + loop.loopVar() + " by " + intrinsic.name();
  }

  public static PrimFunc of(
      PrimFunc function, StmtPath at, TensorIntrinsic intrinsic, String name) {
    Tensorization change = new Tensorization(function, at, intrinsic);
    Stmt block = change.block(name);
    return function.withBody(Replacement.in(function.body(), change.loop, block));
  }

  /** The name of the block for a loop, which no block has yet. */
  public static String name(For loop, TensorIntrinsic intrinsic, TreeSet<String> names) {
    String what = "to tensorize the loop over " + loop.loopVar() + " by " + intrinsic.name();
    List<StmtPath> inside = StmtPath.blocks(loop.body());
    if (inside.isEmpty()) {
      throw Refusal.of(what, "there is no block inside");
    }
    String name = inside.getFirst().block().name() + "_tensorized";
    if (names.contains(name)) {
      throw Refusal.of(what, "there is a block " + name + " already");
    }
    return name;
  }

  private Stmt block(String name) {
    Map<Buffer, BufferRegion> regions;
    try {
      regions =
          NestMatch.regions(
              intrinsic, loop, AccessFootprint.known(function, at.stmts().subList(0, last())));
    } catch (NestMatch.Mismatch mismatch) {
      throw Refusal.of(what, mismatch.text());
    }
    for (Stmt around : at.stmts().subList(0, last())) {
      if (around instanceof BlockRealize) {
        axes.clear();
        counters.clear();
        renamed.clear();
      } else if (around instanceof For outer && uses(loop, outer.loopVar())) {
        addAxis(outer);
      }
    }
    Substitution ofAxes = new Substitution(renamed);
    Block block =
        new Block(
            name,
            axes,
            intrinsic.inputs().stream().map(p -> ofAxes.rewrite(region(regions, p))).toList(),
            intrinsic.outputs().stream().map(p -> ofAxes.rewrite(region(regions, p))).toList(),
            List.of(),
            Optional.empty(),
            ofAxes.rewrite(loop),
            Map.of(TensorIntrinsic.ANNOTATION, intrinsic.name()));
    return BlockRealize.always(block, counters);
  }

  private int last() {
    return at.stmts().size() - 1;
  }

  private static BufferRegion region(Map<Buffer, BufferRegion> regions, Buffer parameter) {
    return Objects.requireNonNull(regions.get(parameter));
  }

  private void addAxis(For outer) {
    for (Stmt around : at.stmts()) {
      if (around instanceof For other
          && (Statements.uses(outer.min(), other.loopVar())
              || Statements.uses(outer.extent(), other.loopVar()))) {
        throw Refusal.of(
            what,
            "the bounds of the loop over "
                + outer.loopVar()
                + " around it depend on the loop over "
                + other.loopVar());
      }
    }
    Var var = new Var("v_" + outer.loopVar().name(), outer.loopVar().dtype());
    axes.add(new IterVar(var, new Range(outer.min(), outer.extent()), kind(outer)));
    counters.add(outer.loopVar());
    renamed.put(outer.loopVar(), var);
  }

  /** What an axis for a loop around means: what the axes mean that it moves the blocks along. */
  private IterKind kind(For outer) {
    boolean spatial = true;
    boolean reduction = true;
    for (StmtPath inside : StmtPath.blocks(loop)) {
      BlockRealize realize = (BlockRealize) inside.stmt();
      boolean ordered = SpatialNest.moves(realize, outer, IterKind.OPAQUE);
      boolean alongSpatial = SpatialNest.moves(realize, outer, IterKind.SPATIAL);
      boolean alongReduction = SpatialNest.moves(realize, outer, IterKind.REDUCE);
      List<Stmt> between = inside.stmts().subList(0, inside.stmts().size() - 1);
      spatial &=
          !ordered
              && !alongReduction
              && Separation.holds(outer, between, realize, IterKind.SPATIAL);
      reduction &= !ordered && !alongSpatial && alongReduction;
    }
    return spatial ? IterKind.SPATIAL : reduction ? IterKind.REDUCE : IterKind.OPAQUE;
  }

  @SuppressWarnings("ReferenceEquality") // whether anything changes
  private static boolean uses(Stmt stmt, Var var) {
    return new Substitution(Map.of(var, new Var(var.name(), var.dtype()))).rewrite(stmt) != stmt;
  }

  /**
   * Refuses a position inside of a block that stands for an intrinsic, which must stay as it is.
   */
  public static StmtPath requireOpen(StmtPath path) {
    for (Stmt around : path.stmts().subList(0, path.stmts().size() - 1)) {
      if (around instanceof BlockRealize realize) {
        requireOpen(realize.block(), "to change what is in the block " + realize.block().name());
      }
    }
    return path;
  }

  /** Refuses a change of a block that stands for an intrinsic. */
  public static void requireOpen(Block block, String what) {
    TensorIntrinsic.of(block)
        .ifPresent(
            name -> {
              throw Refusal.of(what, "the block stands for the intrinsic " + name);
            });
  }
}
