package org.relaxvm.tir.schedule.blocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessFootprint;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Independence;
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
import org.relaxvm.tir.stmt.Stmt;

/**
 * Moves the blocks that compute a buffer into a loop around all that read it, where they compute
 * what one iteration reads.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why do moved blocks get new loops?"
 */
public final class ComputeAt {
  private final PrimFunc function;
  private final StmtPath at;
  private final For loop;
  private final String what;
  private final Neighbours neighbours;
  private final Set<Buffer> outputs;
  // All that write the outputs, in order: what starts a reduction moves with it.
  private final List<StmtPath> movers = new ArrayList<>();
  private final List<StmtPath> readers = new ArrayList<>();

  private ComputeAt(PrimFunc function, StmtPath moved, StmtPath at) {
    this.function = function;
    this.at = at;
    loop = (For) at.stmt();
    what = "to compute the block " + moved.block().name() + " in the loop over " + loop.loopVar();
    neighbours = Neighbours.of(function, moved, at, what);
    outputs = Neighbours.outputs(moved.block());
    neighbours.number(moved.stmt());
    for (StmtPath path : neighbours.blocks()) {
      if (overlap(Neighbours.outputs(path.block()), outputs)) {
        movers.add(path);
      } else if (overlap(Neighbours.inputs(path.block()), outputs)) {
        readers.add(path);
      }
    }
  }

  public static PrimFunc of(PrimFunc function, StmtPath moved, StmtPath at) {
    ComputeAt move = new ComputeAt(function, moved, at);
    move.requireOutputsAreOnlyReadInLoop();
    move.movers.forEach(move::requireMoves);
    return move.result();
  }

  private static boolean overlap(Set<Buffer> some, Set<Buffer> others) {
    return some.stream().anyMatch(others::contains);
  }

  private void requireOutputsAreOnlyReadInLoop() {
    for (Buffer output : outputs) {
      if (function.buffers().contains(output)) {
        throw Refusal.of(what, output + " is a parameter of the kernel");
      }
    }
    neighbours.requireOnlyInBlocks(outputs, true);
    if (readers.isEmpty()) {
      throw Refusal.of(what, "no block reads what it writes");
    }
    int last = neighbours.number(movers.getLast().stmt());
    for (StmtPath reader : readers) {
      String name = "the block " + reader.block().name() + ", which reads what it writes,";
      if (!reader.isIn(loop)) {
        throw Refusal.of(what, name + " is not in that loop");
      }
      if (neighbours.number(reader.stmt()) < last) {
        throw Refusal.of(what, name + " runs before it");
      }
    }
  }

  private void requireMoves(StmtPath mover) {
    Points.requireAll(function, mover, what);
    List<Stmt> own = mover.stmts().stream().filter(around -> !at.isIn(around)).toList();
    Points.requireOnlyLoops(own, "the block " + mover.block().name(), what);
    Points.written(mover.block(), what);
    Block block = mover.block();
    for (Buffer written : Neighbours.outputs(block)) {
      if (!outputs.contains(written)) {
        throw Refusal.of(what, "the block " + block.name() + " with it writes " + written + " too");
      }
    }
    requireInputsStay(mover);
    boolean alongReduction = false;
    for (int i = 0; i < mover.stmts().size(); i++) {
      if (!(mover.stmts().get(i) instanceof For around)) {
        continue;
      }
      boolean ofAll = movers.stream().allMatch(other -> other.isIn(around));
      alongReduction |= SpatialNest.moves(realize(mover), around, IterKind.REDUCE) || !ofAll;
      List<Stmt> between = mover.stmts().subList(i + 1, mover.stmts().size() - 1);
      if (alongReduction && updates(block) && !visitsOnce(around, between, realize(mover))) {
        throw Refusal.of(
            what,
            "the loop over "
                + around.loopVar()
                + " may run the block "
                + block.name()
                + ", which updates its output, at one point twice");
      }
    }
  }

  private static boolean visitsOnce(For loop, List<Stmt> between, BlockRealize realize) {
    return Separation.holds(loop, between, realize, IterKind.SPATIAL)
        || Separation.holds(loop, between, realize, IterKind.REDUCE);
  }

  private static boolean updates(Block block) {
    return overlap(Neighbours.inputs(block), Neighbours.outputs(block));
  }

  /** What a block reads must be complete where it is, and stay as it is until where it goes. */
  private void requireInputsStay(StmtPath mover) {
    Set<Buffer> inputs = new HashSet<>(Neighbours.inputs(mover.block()));
    inputs.removeAll(outputs);
    neighbours.requireOnlyInBlocks(inputs, false);
    for (StmtPath other : neighbours.blocks()) {
      for (Buffer written : Neighbours.outputs(other.block())) {
        boolean complete =
            neighbours.number(other.stmt()) < neighbours.number(mover.stmt())
                && !other.isIn(mover.stage());
        if (inputs.contains(written) && !complete) {
          throw Refusal.of(
              what,
              "the block "
                  + other.block().name()
                  + " after it or in the same loops writes "
                  + written
                  + ", which it reads");
        }
      }
    }
  }

  private static BlockRealize realize(StmtPath path) {
    return (BlockRealize) path.stmt();
  }

  private PrimFunc result() {
    Analyzer analyzer = AccessFootprint.known(function, at.stmts());
    Map<Buffer, List<Optional<AccessFootprint.Span>>> read = new HashMap<>();
    readers.forEach(reader -> addReads(reader, analyzer, read));
    List<Stmt> inside = new ArrayList<>();
    for (StmtPath mover : movers) {
      inside.add(BlockNest.of(mover.block(), analyzer, spans(mover.block(), read, analyzer)));
    }
    inside.add(loop.body());
    For changed = Statements.with(loop, Statements.sequence(inside));
    Stmt body = Replacement.in(function.body(), loop, changed);
    for (StmtPath mover : movers) {
      body = Removal.of(body, realize(mover));
    }
    PrimFunc result = function.withBody(body);
    Independence.requireAround(result, loop.loopVar(), what);
    return result;
  }

  /** What one iteration reads of each axis; nothing for an axis of which that is not known. */
  private void addReads(
      StmtPath reader, Analyzer analyzer, Map<Buffer, List<Optional<AccessFootprint.Span>>> read) {
    BlockRealize realize = realize(reader);
    Block block = realize.block();
    AccessFootprint reach = new AccessFootprint(analyzer);
    reader.pathFrom(loop).forEach(reach::enter);
    Map<Var, PrimExpr> point = new HashMap<>();
    for (int i = 0; i < realize.iterValues().size(); i++) {
      point.put(block.iterVars().get(i).var(), realize.iterValues().get(i));
    }
    Substitution there = new Substitution(point);
    for (BufferRegion region : BlockRegions.declared(block).reads()) {
      if (outputs.contains(region.buffer())) {
        List<Optional<AccessFootprint.Span>> spans =
            region.ranges().stream().map(range -> reach.of(there.rewrite(range))).toList();
        read.merge(region.buffer(), spans, (a, b) -> union(a, b, analyzer));
      }
    }
  }

  private static List<Optional<AccessFootprint.Span>> union(
      List<Optional<AccessFootprint.Span>> a,
      List<Optional<AccessFootprint.Span>> b,
      Analyzer analyzer) {
    List<Optional<AccessFootprint.Span>> both = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      Optional<AccessFootprint.Span> other = b.get(i);
      both.add(a.get(i).flatMap(x -> other.map(y -> x.union(y, analyzer))));
    }
    return both;
  }

  /** Where to visit the axes of a block so that it gives what is read. */
  private static Map<Var, AccessFootprint.Span> spans(
      Block block, Map<Buffer, List<Optional<AccessFootprint.Span>>> read, Analyzer analyzer) {
    Map<Var, Optional<AccessFootprint.Span>> spans = new HashMap<>();
    Points.written(block, "")
        .forEach(
            (buffer, axes) -> {
              List<Optional<AccessFootprint.Span>> wanted = read.get(buffer);
              for (int i = 0; wanted != null && i < axes.size(); i++) {
                Optional<AccessFootprint.Span> span = wanted.get(i);
                spans.merge(
                    axes.get(i), span, (a, b) -> a.flatMap(x -> b.map(y -> x.union(y, analyzer))));
              }
            });
    Map<Var, AccessFootprint.Span> known = new HashMap<>();
    spans.forEach((axis, span) -> span.ifPresent(s -> known.put(axis, s)));
    return known;
  }
}
