package org.relaxvm.tir.schedule.blocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessFootprint;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.analysis.Reduction;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Dependences;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Replacement;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.Stores;

/**
 * A reduction in two steps: a result for each iteration of one of its loops, and what those give.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why does a factored reduction start with the neutral
 * element?"
 */
public final class Factoring {
  private static final String PARTIAL = "_rf";

  private final PrimFunc function;
  private final String what;
  private final For loop;
  private final StmtPath path;
  private final BlockRealize realize;
  private final Block block;
  private final Reduction reduction;
  private final List<For> loops;
  private final int axis;
  private final Range lanes;
  private final List<Buffer> partial = new ArrayList<>();

  private Factoring(PrimFunc function, StmtPath at, int axis) {
    this.function = function;
    this.axis = axis;
    loop = (For) at.stmt();
    what = "to factor a reduction over the loop over " + loop.loopVar();
    path = reducing();
    path.requireNoBlockAround("the block", what);
    realize = (BlockRealize) path.stmt();
    block = realize.block();
    reduction =
        Reduction.of(block)
            .filter(this::variesByOtherAxes)
            .orElseThrow(
                () ->
                    Refusal.of(
                        what,
                        "it is not known how to put results of the block "
                            + block.name()
                            + " together: it must update its outputs by +, *, min, max, and, or,"
                            + " or choose the first best value by a comparison"));
    List<For> around = path.loops();
    int first = 0;
    while (!SpatialNest.moves(realize, around.get(first), IterKind.REDUCE)) {
      first++;
    }
    loops = around.subList(first, around.size());
    lanes = new Range(IntImm.of(0), extent());
  }

  /** The kernel with the reduction in two steps, as blocks of these names. */
  public static PrimFunc of(PrimFunc function, StmtPath at, int axis, TreeSet<String> names) {
    Factoring factoring = new Factoring(function, at, axis);
    factoring.require(names);
    return factoring.result();
  }

  /** The name of the block that gives the result of each iteration. */
  public static String nameOfPartial(String block) {
    return block + PARTIAL;
  }

  /** The one block that a loop moves along its reduction. */
  public static String blockOf(For loop) {
    List<String> names = new ArrayList<>();
    for (StmtPath inside : StmtPath.blocks(loop.body())) {
      if (SpatialNest.moves((BlockRealize) inside.stmt(), loop, IterKind.REDUCE)) {
        names.add(inside.block().name());
      }
    }
    if (names.size() != 1) {
      throw Refusal.of(
          "to factor a reduction over the loop over " + loop.loopVar(),
          "it must move along the reduction of one block, but does of "
              + (names.isEmpty() ? "none" : String.join(", ", names)));
    }
    return names.getFirst();
  }

  private StmtPath reducing() {
    String name = blockOf(loop);
    return StmtPath.find(
            function.body(),
            stmt -> stmt instanceof BlockRealize other && other.block().name().equals(name))
        .orElseThrow();
  }

  private boolean variesByOtherAxes(Reduction found) {
    return found.indices().stream().noneMatch(this::usesReduction);
  }

  private boolean usesReduction(PrimExpr expr) {
    return block.iterVars().stream()
        .anyMatch(a -> a.kind() != IterKind.SPATIAL && Statements.uses(expr, a.var()));
  }

  @SuppressWarnings("ReferenceEquality") // whether anything changes
  private boolean usesReduction(Stmt stmt) {
    Map<Var, PrimExpr> renamed = new HashMap<>();
    for (IterVar old : block.iterVars()) {
      if (old.kind() != IterKind.SPATIAL) {
        renamed.put(old.var(), new Var(old.var().name(), old.var().dtype()));
      }
    }
    return new Substitution(renamed).rewrite(stmt) != stmt;
  }

  private PrimExpr extent() {
    requireFixed(loop);
    PrimExpr extent = loop.extent();
    boolean known =
        AccessFootprint.known(function, List.of()).canProve(Exprs.le(IntImm.of(0), extent));
    return known ? extent : Exprs.max(extent, IntImm.of(0));
  }

  /**
   * Bounds that become a domain or an extent of memory do not change from iteration to iteration.
   */
  private void requireFixed(For bounded) {
    boolean index = bounded.loopVar().dtype().equals(DType.INT64);
    for (Stmt around : path.stmts()) {
      if (!index
          || (around instanceof For other
              && (Statements.uses(bounded.min(), other.loopVar())
                  || Statements.uses(bounded.extent(), other.loopVar())))) {
        throw Refusal.of(
            what,
            "the bounds of the loop over "
                + bounded.loopVar()
                + " must be int64 and not depend on other loops");
      }
    }
  }

  private void require(TreeSet<String> names) {
    if (axis < 0 || axis > reduction.indices().size()) {
      throw Refusal.of(
          what,
          "the new axis must be one of 0 to " + reduction.indices().size() + ", but is " + axis);
    }
    for (String name : List.of(block.name() + PARTIAL, block.name() + PARTIAL + "_init")) {
      if (names.contains(name)) {
        throw Refusal.of(what, "there is a block " + name + " already");
      }
    }
    if (SpatialNest.moves(realize, loop, IterKind.SPATIAL)) {
      throw Refusal.of(what, "it moves along other axes of the block " + block.name() + " too");
    }
    if (block.iterVars().stream().anyMatch(a -> a.kind() == IterKind.OPAQUE)) {
      throw Refusal.of(
          what, "points of the block " + block.name() + " must follow each other in order");
    }
    if (reduction.choice().isPresent() && !loops.getFirst().equals(loop)) {
      throw Refusal.of(
          what,
          "the block "
              + block.name()
              + " chooses the first of values that are as good, so only the outermost loop of the"
              + " reduction, which is over "
              + loops.getFirst().loopVar()
              + ", leaves them in order");
    }
    if (block.init().isPresent() && usesReduction(block.init().get())) {
      throw Refusal.of(
          what, "what starts the block " + block.name() + " depends on where the reduction is");
    }
    Points.requireOnlyLoops(path.stmts(), "the block " + block.name(), what);
    for (Buffer buffer : reduction.buffers()) {
      Dependences.requireAlone(loops.getFirst(), block, buffer, false, what);
    }
  }

  private PrimFunc result() {
    for (Buffer buffer : reduction.buffers()) {
      List<PrimExpr> shape = with(buffer.shape(), lanes.extent());
      partial.add(Buffer.of(buffer.name() + PARTIAL, buffer.dtype(), shape, buffer.scope()));
    }
    For outermost = loops.getFirst();
    Stmt changed =
        Statements.sequence(
            List.of(start(), Replacement.in(outermost, realize, update()), total()));
    Stmt body = Replacement.in(function.body(), outermost, changed);
    return RootMemory.add(function.withBody(body), partial);
  }

  private List<PrimExpr> with(List<PrimExpr> items, PrimExpr item) {
    List<PrimExpr> all = new ArrayList<>(items);
    all.add(axis, item);
    return all;
  }

  private static List<PrimExpr> loads(List<Buffer> buffers, List<PrimExpr> indices) {
    return buffers.stream().map(buffer -> buffer.load(indices)).toList();
  }

  private List<PrimExpr> indices(Map<Var, Var> vars) {
    return reduction.indices().stream().map(index -> Substitution.in(index, vars)).toList();
  }

  private Var lane(String prefix, String suffix) {
    return Var.index(prefix + loop.loopVar().name() + suffix);
  }

  /** The results of all iterations when there is nothing in them yet. */
  private Stmt start() {
    String suffix = PARTIAL + "_init";
    SpatialNest nest = new SpatialNest(realize, loops, suffix, what);
    Var lane = lane("v_", suffix);
    List<IterVar> axes = new ArrayList<>(nest.axes());
    axes.add(new IterVar(lane, lanes, IterKind.SPATIAL));
    Stmt body = Stores.of(partial, reduction.identity(), with(indices(nest.vars()), lane));
    Block starting = BlockRegions.block(block.name() + suffix, axes, Optional.empty(), body);
    return nest.around(inLanes(nest, starting, lane("", suffix)));
  }

  private Stmt inLanes(SpatialNest nest, Block inside, Var counter) {
    List<PrimExpr> values = new ArrayList<>(nest.values());
    values.add(counter);
    return For.serial(counter, lanes.extent(), new BlockRealize(values, nest.predicate(), inside));
  }

  /** The block with a result for each iteration. */
  private BlockRealize update() {
    List<IterVar> axes = new ArrayList<>();
    List<PrimExpr> values = new ArrayList<>();
    for (int i = 0; i < block.iterVars().size(); i++) {
      if (block.iterVars().get(i).kind() == IterKind.SPATIAL) {
        axes.add(block.iterVars().get(i));
        values.add(realize.iterValues().get(i));
      }
    }
    Var lane = lane("v_", "");
    axes.add(new IterVar(lane, lanes, IterKind.SPATIAL));
    values.add(Exprs.sub(loop.loopVar(), loop.min()));
    Map<Var, PrimExpr> counters = new HashMap<>();
    counters.put(loop.loopVar(), Exprs.add(loop.min(), lane));
    for (For other : loops) {
      if (!other.loopVar().equals(loop.loopVar())
          && SpatialNest.moves(realize, other, IterKind.REDUCE)) {
        requireFixed(other);
        Var var = Var.index("v_" + other.loopVar().name());
        axes.add(new IterVar(var, new Range(other.min(), other.extent()), IterKind.REDUCE));
        values.add(other.loopVar());
        counters.put(other.loopVar(), var);
      }
    }
    Map<Var, PrimExpr> point = new HashMap<>();
    for (int i = 0; i < block.iterVars().size(); i++) {
      IterVar old = block.iterVars().get(i);
      if (old.kind() == IterKind.REDUCE) {
        point.put(old.var(), Substitution.in(realize.iterValues().get(i), counters));
      }
    }
    List<PrimExpr> at = with(reduction.indices(), lane);
    List<PrimExpr> next =
        reduction.elements().stream().map(element -> Substitution.in(element, point)).toList();
    Stmt body = Stores.of(partial, reduction.combine(loads(partial, at), next), at);
    Block updating = BlockRegions.block(nameOfPartial(block.name()), axes, Optional.empty(), body);
    return new BlockRealize(values, realize.predicate(), updating);
  }

  /** The results of all iterations put together. */
  private Stmt total() {
    String suffix = "_all";
    SpatialNest nest = new SpatialNest(realize, loops, suffix, what);
    Var lane = lane("v_", suffix);
    List<IterVar> axes = new ArrayList<>(nest.axes());
    axes.add(new IterVar(lane, lanes, IterKind.REDUCE));
    List<PrimExpr> at = indices(nest.vars());
    List<PrimExpr> accumulated =
        reduction.combine(loads(reduction.buffers(), at), loads(partial, with(at, lane)));
    Optional<Stmt> init = block.init().map(stmt -> new Substitution(nest.vars()).rewrite(stmt));
    Stmt body = Stores.of(reduction.buffers(), accumulated, at);
    Block last = BlockRegions.block(block.name(), axes, init, body);
    Block noted =
        new Block(
            last.name(),
            axes,
            last.reads(),
            last.writes(),
            List.of(),
            init,
            body,
            block.annotations());
    return nest.around(inLanes(nest, noted, lane("", suffix)));
  }
}
