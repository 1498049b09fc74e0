package org.relaxvm.tir.schedule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.TensorIntrinsic;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.schedule.blocks.Caching;
import org.relaxvm.tir.schedule.blocks.ComputeAt;
import org.relaxvm.tir.schedule.blocks.Decomposition;
import org.relaxvm.tir.schedule.blocks.Factoring;
import org.relaxvm.tir.schedule.blocks.Inlining;
import org.relaxvm.tir.schedule.blocks.ReverseComputeAt;
import org.relaxvm.tir.schedule.blocks.Tensorization;
import org.relaxvm.tir.schedule.loops.LoopFusion;
import org.relaxvm.tir.schedule.loops.LoopMerge;
import org.relaxvm.tir.schedule.loops.LoopOrder;
import org.relaxvm.tir.schedule.loops.LoopParts;
import org.relaxvm.tir.schedule.loops.LoopSplit;
import org.relaxvm.tir.schedule.nest.Dependences;
import org.relaxvm.tir.schedule.nest.Independence;
import org.relaxvm.tir.schedule.nest.Nesting;
import org.relaxvm.tir.schedule.nest.Place;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Replacement;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * A kernel whose loops are being arranged. Loops are named by their counters, blocks by their
 * names. Each primitive keeps what the kernel computes, except for the rounding of reductions whose
 * order changes, or raises an {@link InvalidProgramException} that says why it cannot.
 *
 * <p>Not thread-safe.
 */
public final class Schedule {
  private PrimFunc function;

  /** Whether loops are made concurrent without a proof that blocks in them do not interfere. */
  private final boolean trusting;

  /** A schedule of a kernel, which stays as it is. */
  public Schedule(PrimFunc function) {
    this(function, false);
  }

  private Schedule(PrimFunc function, boolean trusting) {
    this.function = function;
    this.trusting = trusting;
  }

  /**
   * A schedule that makes loops concurrent without a proof that what one block writes is not what
   * another one reads in another turn. That proof takes longer than all else. Whoever uses the
   * kernel has to ask {@link org.relaxvm.tir.verify.Verifier#unprovenLoops} once at the end.
   */
  public static Schedule trusting(PrimFunc function) {
    return new Schedule(function, true);
  }

  /** The kernel as it is now. */
  public PrimFunc function() {
    return function;
  }

  /** The counters of the loops around a block from the outside in, up to the next block. */
  public List<Var> loops(String block) {
    return block(block).loops().stream().map(For::loopVar).toList();
  }

  /**
   * Turns a loop into two: the inner one has {@code factor} turns, the outer one as many as it
   * takes. Where the turns do not divide, blocks do not run behind the end.
   *
   * @return the counters of the outer and the inner loop
   */
  public List<Var> split(Var loop, long factor) {
    For old = loop(loop);
    LoopSplit split = LoopSplit.of(old, factor);
    replace(old, split.outer());
    return split.counters();
  }

  /**
   * Turns a loop into two without a condition inside: the inner one has {@code factor} turns, or as
   * many as are left. Its extent depends on the outer counter where the turns may not divide.
   *
   * @return the counters of the outer and the inner loop
   */
  public List<Var> splitBlocks(Var loop, long factor) {
    For old = loop(loop);
    LoopParts parts = LoopParts.blocks(old, factor);
    replace(old, parts.stmt());
    return parts.counters();
  }

  /**
   * Turns a loop into two without a condition inside, of which the inner one always has {@code
   * factor} turns, and a third one behind them for the turns that are left. The blocks in that one
   * are copies, named like the first ones with {@code _rest}.
   *
   * @return the counters of the outer, the inner and the third loop, which there is only where the
   *     turns may not divide
   */
  public List<Var> splitRest(Var loop, long factor) {
    For old = loop(loop);
    TreeSet<String> names = blockNames();
    String suffix = "_rest";
    for (String name : names(old.body())) {
      if (names.contains(name + suffix)) {
        throw Refusal.of(
            "to cut the loop over " + loop + " into groups",
            "there is a block " + name + suffix + " already");
      }
    }
    LoopParts parts = LoopParts.wholeAndRest(old, factor, suffix);
    replace(old, parts.stmt());
    return parts.counters();
  }

  /**
   * Runs loops that follow each other as one: a turn of each after the other. A turn of a later
   * loop must not work on what later turns of an earlier one work on, unless both only read.
   *
   * @param loops counters in the order of the loops, which have nothing between them and the same
   *     turns
   * @return the counter of the one loop
   */
  public Var merge(List<Var> loops) {
    LoopMerge merged = LoopMerge.of(function.body(), loops.stream().map(this::loop).toList());
    replace(merged.before(), merged.after());
    return merged.merged().loopVar();
  }

  /**
   * Puts a note on a loop for whoever makes code of it, in the place of any of that name.
   *
   * @param value a string, long, double or boolean
   */
  public void annotate(Var loop, String key, Object value) {
    For old = loop(loop);
    Map<String, Object> notes = new LinkedHashMap<>(old.annotations());
    notes.put(key, value);
    replace(
        old,
        new For(
            old.loopVar(), old.min(), old.extent(), old.kind(), old.thread(), old.body(), notes));
  }

  /**
   * Turns two loops, of which the second is all that is in the first, into one.
   *
   * @return the counter of the new loop
   */
  public Var fuse(Var outer, Var inner) {
    For old = loop(outer);
    For fused = LoopFusion.of(old, loop(inner));
    replace(old, fused);
    return fused.loopVar();
  }

  /**
   * Puts loops in another order. They must be nested with nothing between them but other loops,
   * which stay where they are.
   *
   * @param order counters from the outside in
   */
  public void reorder(List<Var> order) {
    List<For> loops = new ArrayList<>();
    for (Var counter : order) {
      loops.add(loop(counter));
    }
    LoopOrder reordered = LoopOrder.of(loops);
    replace(reordered.old(), reordered.replacement());
  }

  /** Runs the turns of a loop on many threads. They must be independent. */
  public void parallel(Var loop) {
    setKind(loop, ForKind.PARALLEL, Optional.empty());
  }

  /** Runs the turns of a loop as lanes of vectors. They must be independent. */
  public void vectorize(Var loop) {
    setKind(loop, ForKind.VECTORIZED, Optional.empty());
  }

  /** Writes the turns of a loop out. */
  public void unroll(Var loop) {
    setKind(loop, ForKind.UNROLLED, Optional.empty());
  }

  /** Runs the turns of a loop on the threads of a device. They must be independent. */
  public void bind(Var loop, ThreadAxis axis) {
    setKind(loop, ForKind.THREAD_BINDING, Optional.of(axis));
  }

  /**
   * Computes the elements of a buffer where they are used instead of in a block of its own, which
   * goes, as does the buffer.
   */
  public void inline(String block) {
    function = Inlining.of(function, block(block));
  }

  /**
   * Moves a block into a loop around all blocks that read what it writes. There it computes, at the
   * begin of each turn, what that turn reads: a range of each axis, or the whole axis where the
   * range cannot be told. Its loops there are new and serial. What two turns read is computed
   * twice.
   *
   * <p>All blocks that write the same buffers move together, such as one that starts a reduction.
   * They must visit all points of their domains, each with its own elements, and what they read
   * must be complete in front of the loops that they leave.
   *
   * @param block that computes what is no output of the kernel
   */
  public void computeAt(String block, Var loop) {
    function = ComputeAt.of(function, block(block), loopPlace(loop));
  }

  /**
   * Moves a block into a loop that computes what it reads. There it works, at the end of each turn,
   * on what that turn wrote: so a formula is applied to each tile of a result. Its loops there are
   * new and serial.
   *
   * @param block of spatial axes only, that reads each result at one point, and runs behind the
   *     loop
   * @param loop whose turns each give a range of whole results
   */
  public void reverseComputeAt(String block, Var loop) {
    function = ReverseComputeAt.of(function, block(block), loopPlace(loop));
  }

  /**
   * Starts a reduction in a block of its own in front of a loop, so that nothing in the loop asks
   * whether it is the first turn.
   *
   * @param block with something that starts it
   * @param loop around the block, and around all loops of the reduction
   * @return the name of the new block: that of the old one with {@code _init}
   */
  public String decomposeReduction(String block, Var loop) {
    String name = block + "_init";
    if (blockNames().contains(name)) {
      throw Refusal.of("to start the block " + block, "there is a block " + name + " already");
    }
    For old = loop(loop);
    replace(old, Decomposition.of(block(block), old, name));
    return name;
  }

  /**
   * Factors a reduction: its block then reduces results that a new block gives, one for each turn
   * of a loop, so that those turns become independent. The results lie in a new buffer for each
   * output, with an axis for the turns; another new block, named like the first with {@code _init},
   * starts them. Domains may be empty.
   *
   * <p>The block must update its outputs by {@code +}, {@code *}, {@code min}, {@code max}, {@code
   * and} or {@code or}, each of several outputs for itself; or choose all its outputs by a
   * comparison of one of them, as a search of the largest value and its place does. A choice is
   * factored over the outermost loop of the reduction alone, so that the first of several that are
   * as good stays the first; what it chooses among NaN may change.
   *
   * @param loop along the reduction of one block, and along none of its other axes
   * @param axis where the new axis is among the axes of the new buffers
   * @return the name of the new block: that of the old one with {@code _rf}
   */
  public String rfactor(Var loop, int axis) {
    Place at = loopPlace(loop);
    String block = Factoring.blockOf((For) at.stmt());
    function = Factoring.of(function, at, axis, blockNames());
    return Factoring.nameOfPartial(block);
  }

  /**
   * Lets a loop with all in it stand for an operation of a device: puts it into a block with the
   * note {@link TensorIntrinsic#ANNOTATION}. What the block runs stays the same, so devices without
   * that operation run it too, and nothing in it can be scheduled any more. {@link TensorIntrinsic}
   * says what a code generator finds in the block.
   *
   * @param loop whose nest is what the description of the intrinsic says, at all its points
   * @return the name of the new block: that of the first block inside with {@code _tensorized}
   */
  public String tensorize(Var loop, TensorIntrinsic intrinsic) {
    Place at = loopPlace(loop);
    String name = Tensorization.name((For) at.stmt(), intrinsic, blockNames());
    function = Tensorization.of(function, at, intrinsic, name);
    return name;
  }

  /**
   * Copies a buffer in front of a block that reads it, which then reads the copy. The block that
   * copies has the name of the copy.
   *
   * @param copyName of the copy, which no block has
   */
  public void cacheRead(String block, Buffer buffer, MemoryScope scope, String copyName) {
    cache(block, buffer, scope, copyName, true);
  }

  /**
   * Lets a block write into a copy of a buffer, which is copied into the buffer behind it by a
   * block named like the copy with {@code _out}.
   *
   * @param copyName of the copy
   */
  public void cacheWrite(String block, Buffer buffer, MemoryScope scope, String copyName) {
    cache(block, buffer, scope, copyName, false);
  }

  private void cache(
      String name, Buffer buffer, MemoryScope scope, String copyName, boolean reads) {
    Place place = block(name);
    Block block = ((BlockRealize) place.stmt()).block();
    String what =
        "to let the block " + name + (reads ? " read" : " write") + " a copy of " + buffer;
    if ((reads ? block.reads() : block.writes())
        .stream().noneMatch(region -> region.buffer().equals(buffer))) {
      throw Refusal.of(what, "it does not " + (reads ? "read" : "write") + " that buffer");
    }
    if ((reads ? block.writes() : block.reads())
        .stream().anyMatch(region -> region.buffer().equals(buffer))) {
      throw Refusal.of(what, "it " + (reads ? "writes" : "reads") + " that buffer too");
    }
    if (!reads && !(writesAll(block) && isUnconditional((BlockRealize) place.stmt()))) {
      throw Refusal.of(what, "it may leave elements of it as they are");
    }
    Tensorization.requireOpen(block, what);
    place.requireNoBlockAround("it", what);
    Dependences.requireAlone(place.stage(), block, buffer, reads, what);
    if (!reads) {
      Dependences.requireOnlyWriter(function.body(), place, buffer, what);
    }
    String copying = reads ? copyName : copyName + "_out";
    if (blockNames().contains(copying)) {
      throw Refusal.of(what, "there is a block " + copying + " already");
    }
    function = Caching.of(function, place, buffer, scope, copyName, reads);
  }

  private void setKind(Var counter, ForKind kind, Optional<ThreadAxis> axis) {
    For old = loop(counter);
    For changed =
        new For(old.loopVar(), old.min(), old.extent(), kind, axis, old.body(), old.annotations());
    PrimFunc result = function.withBody(Replacement.in(function.body(), old, changed));
    if (kind.isConcurrent()) {
      String what = "to make the loop over " + counter + " " + kind.text();
      Independence.require(old, what);
      Nesting.require(function.body(), old, kind, axis);
      if (!trusting) {
        Independence.requireApart(result, changed, what);
      }
    }
    function = result;
  }

  private static boolean isUnconditional(BlockRealize realize) {
    return realize.predicate().equals(IntImm.of(true));
  }

  /** Whether a block surely writes each element of its output: its indices are its axes. */
  private static boolean writesAll(Block block) {
    List<Var> spatial =
        block.iterVars().stream()
            .filter(axis -> axis.kind() == IterKind.SPATIAL)
            .map(IterVar::var)
            .toList();
    for (BufferRegion region : block.writes()) {
      List<PrimExpr> indices = region.ranges().stream().map(Range::min).toList();
      List<PrimExpr> extents =
          block.iterVars().stream()
              .filter(axis -> axis.kind() == IterKind.SPATIAL)
              .map(axis -> axis.domain().extent())
              .toList();
      if (!indices.equals(spatial) || !extents.equals(region.buffer().shape())) {
        return false;
      }
    }
    return true;
  }

  private Place block(String name) {
    return Place.find(
            function.body(),
            stmt -> stmt instanceof BlockRealize realize && realize.block().name().equals(name))
        .map(Tensorization::requireOpen)
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    "the kernel "
                        + function.name()
                        + " has no block "
                        + name
                        + "\n  what there is: "
                        + String.join(", ", blockNames())));
  }

  private For loop(Var counter) {
    return (For) loopPlace(counter).stmt();
  }

  @SuppressWarnings("ReferenceEquality") // of variables that is equality
  private Place loopPlace(Var counter) {
    return Place.find(
            function.body(), stmt -> stmt instanceof For loop && loop.loopVar() == counter)
        .map(Tensorization::requireOpen)
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    "the kernel "
                        + function.name()
                        + " has no loop over "
                        + counter
                        + " (any more)"));
  }

  private void replace(Stmt old, Stmt replacement) {
    function = function.withBody(Replacement.in(function.body(), old, replacement));
  }

  private TreeSet<String> blockNames() {
    return names(function.body());
  }

  private static TreeSet<String> names(Stmt stmt) {
    TreeSet<String> names = new TreeSet<>();
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        names.add(block.name());
        super.visit(block);
      }
    }.visit(stmt);
    return names;
  }
}
