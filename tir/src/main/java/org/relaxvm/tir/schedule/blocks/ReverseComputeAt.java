package org.relaxvm.tir.schedule.blocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessFootprint;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.nest.Independence;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Replacement;
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
 * Moves a block into a loop that computes what it reads, after that, for what one iteration gives.
 */
public final class ReverseComputeAt {
  private final PrimFunc function;
  private final StmtPath at;
  private final For loop;
  private final String what;
  private final Neighbours neighbours;
  private final StmtPath moved;
  private final Block block;
  private final Set<Buffer> inputs;
  private final Set<Buffer> outputs;
  private final List<StmtPath> writers = new ArrayList<>();

  private ReverseComputeAt(PrimFunc function, StmtPath path, StmtPath at) {
    this.function = function;
    this.at = at;
    loop = (For) at.stmt();
    block = path.block();
    what =
        "to compute the block "
            + block.name()
            + " after the iterations of the loop over "
            + loop.loopVar();
    neighbours = Neighbours.of(function, path, at, what);
    moved = neighbours.blocks().get(neighbours.number(path.stmt()));
    inputs = Neighbours.inputs(block);
    outputs = Neighbours.outputs(block);
  }

  public static PrimFunc of(PrimFunc function, StmtPath path, StmtPath at) {
    ReverseComputeAt move = new ReverseComputeAt(function, path, at);
    move.requireFormulas();
    move.requireStraight();
    move.neighbours.blocks().forEach(move::requireOrderDoesNotCount);
    return move.result();
  }

  private void requireFormulas() {
    Points.requireAll(function, moved, what);
    if (!block.iterVars().stream().allMatch(axis -> axis.kind() == IterKind.SPATIAL)) {
      throw Refusal.of(what, "not all of its axes are spatial");
    }
    for (Buffer output : outputs) {
      if (inputs.contains(output)) {
        throw Refusal.of(what, "it reads " + output + ", which it writes");
      }
    }
  }

  /** Both run once and without conditions but those of blocks. */
  private void requireStraight() {
    Points.requireOnlyLoops(moved.stmts(), "it", what);
    Points.requireOnlyLoops(at.stmts(), "the loop", what);
    for (Stmt around : moved.stmts()) {
      if (at.isIn(around) && around instanceof For both) {
        throw Refusal.of(what, "both are in the loop over " + both.loopVar());
      }
    }
    neighbours.requireOnlyInBlocks(outputs, true);
    neighbours.requireOnlyInBlocks(inputs, false);
  }

  /** What runs from the loops on until the block does without it now. */
  @SuppressWarnings("ReferenceEquality") // that very block
  private void requireOrderDoesNotCount(StmtPath other) {
    if (other == moved) {
      return;
    }
    boolean inLoop = other.isIn(loop);
    boolean inStage = other.isIn(at.stage());
    int number = neighbours.number(other.stmt());
    if (inStage && number > neighbours.number(moved.stmt())) {
      throw Refusal.of(what, "it runs before that loop");
    }
    boolean before = !inStage && number < firstOfStage();
    if (before || number > neighbours.number(moved.stmt())) {
      return;
    }
    Set<Buffer> written = Neighbours.outputs(other.block());
    for (Buffer buffer : written) {
      if (inputs.contains(buffer) && !inLoop) {
        throw clash(other, "writes " + buffer + ", which it reads");
      }
      if (outputs.contains(buffer)) {
        throw clash(other, "works on " + buffer + " too");
      }
    }
    for (Buffer buffer : Neighbours.inputs(other.block())) {
      if (outputs.contains(buffer)) {
        throw clash(other, "works on " + buffer + " too");
      }
    }
    if (inLoop && written.stream().anyMatch(inputs::contains)) {
      writers.add(other);
    }
  }

  private RuntimeException clash(StmtPath other, String does) {
    return Refusal.of(
        what, "the block " + other.block().name() + ", which runs before it, " + does);
  }

  private int firstOfStage() {
    for (int i = 0; i < neighbours.blocks().size(); i++) {
      if (neighbours.blocks().get(i).isIn(at.stage())) {
        return i;
      }
    }
    return neighbours.blocks().size();
  }

  private PrimFunc result() {
    if (writers.isEmpty()) {
      throw Refusal.of(what, "no block in that loop writes what it reads");
    }
    Analyzer analyzer = AccessFootprint.known(function, at.stmts());
    Map<Var, AccessFootprint.Span> spans = new HashMap<>();
    for (StmtPath writer : writers) {
      addSpans(writer, analyzer, spans);
    }
    List<Stmt> inside = List.of(loop.body(), BlockNest.of(block, analyzer, spans));
    For changed = Statements.with(loop, Statements.sequence(inside));
    Stmt body = Replacement.in(function.body(), loop, changed);
    PrimFunc result = function.withBody(Removal.of(body, (BlockRealize) moved.stmt()));
    Independence.requireAround(result, loop.loopVar(), what);
    return result;
  }

  private void addSpans(StmtPath writer, Analyzer analyzer, Map<Var, AccessFootprint.Span> spans) {
    Points.requireAll(function, writer, what);
    BlockRealize realize = (BlockRealize) writer.stmt();
    for (Stmt around : at.stmts()) {
      if (around instanceof For outer && SpatialNest.moves(realize, outer, IterKind.REDUCE)) {
        throw Refusal.of(
            what,
            "the loop over "
                + outer.loopVar()
                + " moves along the reduction of the block "
                + writer.block().name()
                + ", which gives no result in one iteration");
      }
    }
    Points.written(writer.block(), what)
        .forEach(
            (buffer, from) -> {
              if (inputs.contains(buffer)) {
                addSpans(writer, from, axesOf(buffer), analyzer, spans);
              }
            });
  }

  /** The axes of the block that are the indices of a buffer that it reads. */
  private List<IterVar> axesOf(Buffer buffer) {
    Set<List<Var>> found = new HashSet<>();
    for (BufferRegion region : AccessRegions.of(block).reads()) {
      if (region.buffer().equals(buffer)) {
        found.add(
            Points.axes(block, region)
                .orElseThrow(
                    () ->
                        Refusal.of(
                            what,
                            "the indices of " + buffer + " are not its axes, each of them once")));
      }
    }
    if (found.size() != 1) {
      throw Refusal.of(what, "it reads " + buffer + " at several indices");
    }
    return found.iterator().next().stream()
        .map(var -> block.iterVars().stream().filter(a -> a.var().equals(var)).findFirst().get())
        .toList();
  }

  private void addSpans(
      StmtPath writer,
      List<Var> from,
      List<IterVar> to,
      Analyzer analyzer,
      Map<Var, AccessFootprint.Span> spans) {
    BlockRealize realize = (BlockRealize) writer.stmt();
    List<Stmt> between = writer.pathFrom(loop);
    AccessFootprint reach = new AccessFootprint(analyzer);
    between.forEach(reach::enter);
    for (int k = 0; k < from.size(); k++) {
      int axis = Points.indexOf(writer.block(), from.get(k));
      Range domain = writer.block().iterVars().get(axis).domain();
      requireSameDomain(domain, to.get(k), writer, analyzer);
      PrimExpr value = realize.iterValues().get(axis);
      AccessFootprint.Span span =
          reach
              .of(value)
              .filter(s -> isFull(s, value, between, analyzer))
              .orElseThrow(
                  () ->
                      Refusal.of(
                          what,
                          "what one iteration of the block "
                              + writer.block().name()
                              + " gives is not a range of each axis"));
      spans.merge(to.get(k).var(), span, (a, b) -> a.union(b, analyzer));
    }
  }

  private void requireSameDomain(Range domain, IterVar axis, StmtPath writer, Analyzer analyzer) {
    if (!analyzer.canProveEqual(domain.min(), axis.domain().min())
        || !analyzer.canProveEqual(domain.extent(), axis.domain().extent())) {
      throw Refusal.of(
          what, "the block " + writer.block().name() + " may not write all elements that it reads");
    }
  }

  /** Whether an index takes all values of a span, each once. */
  private static boolean isFull(
      AccessFootprint.Span span, PrimExpr value, List<Stmt> between, Analyzer analyzer) {
    PrimExpr iterations = IntImm.of(1);
    for (Stmt stmt : between) {
      if (stmt instanceof For inner && Statements.uses(value, inner.loopVar())) {
        iterations = Exprs.mul(iterations, inner.extent());
      }
    }
    return analyzer.canProveEqual(iterations, span.extent(analyzer));
  }
}
