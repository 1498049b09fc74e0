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
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Replacement;
import org.relaxvm.tir.schedule.nest.StmtPath;
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
 * A kernel being scheduled. Loops are identified by their counters, blocks by their names. Each
 * primitive preserves what the kernel computes, except for the rounding of reordered reductions, or
 * raises an {@link InvalidProgramException} with the reason.
 *
 * <p>Not thread-safe.
 */
public final class Schedule {
  private PrimFunc function;

  /** Whether loops are made concurrent without a proof that blocks in them do not interfere. */
  private final boolean trusting;

  /** A schedule of a kernel, which is not modified. */
  public Schedule(PrimFunc function) {
    this(function, false);
  }

  private Schedule(PrimFunc function, boolean trusting) {
    this.function = function;
    this.trusting = trusting;
  }

  /**
   * A schedule that makes loops concurrent without proving that their iterations are independent,
   * which is the most expensive proof. The user of the kernel must call {@link
   * org.relaxvm.tir.verify.Verifier#unprovenLoops} once at the end.
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
   * Splits a loop into an outer and an inner one of {@code factor} iterations. If {@code factor}
   * does not divide the extent, blocks get a condition.
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
   * Splits a loop into two without a condition: the inner one has {@code factor} iterations or the
   * remaining ones. Its extent depends on the outer counter unless {@code factor} divides the
   * extent.
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
   * Splits a loop into two without a condition, the inner one of exactly {@code factor} iterations,
   * followed by a remainder loop. The blocks in the remainder loop are copies, named like the
   * originals with {@code _rest}.
   *
   * @return the counters of the outer loop, the inner loop and, unless {@code factor} divides the
   *     extent, the remainder loop
   */
  public List<Var> splitRemainder(Var loop, long factor) {
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
    LoopParts parts = LoopParts.wholeAndRemainder(old, factor, suffix);
    replace(old, parts.stmt());
    return parts.counters();
  }

  /**
   * Merges consecutive loops into one that runs one iteration of each in sequence. An iteration of
   * a later loop must not access elements that later iterations of an earlier one access, unless
   * both only read.
   *
   * @param loops counters of adjacent loops with equal bounds, in order
   * @return the counter of the merged loop
   */
  public Var merge(List<Var> loops) {
    LoopMerge merged = LoopMerge.of(function.body(), loops.stream().map(this::loop).toList());
    replace(merged.before(), merged.after());
    return merged.merged().loopVar();
  }

  /**
   * Annotates a loop for code generation, replacing an annotation of the same name.
   *
   * @param value a string, long, double or boolean
   */
  public void annotate(Var loop, String key, Object value) {
    For old = loop(loop);
    Map<String, Object> annotations = new LinkedHashMap<>(old.annotations());
    annotations.put(key, value);
    replace(old, old.withAnnotations(annotations));
  }

  /**
   * Fuses two perfectly nested loops into one.
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
   * Reorders perfectly nested loops. Other loops between them keep their position.
   *
   * @param order counters from the outermost to the innermost loop
   */
  public void reorder(List<Var> order) {
    List<For> loops = new ArrayList<>();
    for (Var counter : order) {
      loops.add(loop(counter));
    }
    LoopOrder reordered = LoopOrder.of(loops);
    replace(reordered.old(), reordered.replacement());
  }

  /** Runs the iterations of a loop on several threads. They must be independent. */
  public void parallel(Var loop) {
    setKind(loop, ForKind.PARALLEL, Optional.empty());
  }

  /** Vectorizes a loop. Its iterations must be independent. */
  public void vectorize(Var loop) {
    setKind(loop, ForKind.VECTORIZED, Optional.empty());
  }

  /** Unrolls a loop. */
  public void unroll(Var loop) {
    setKind(loop, ForKind.UNROLLED, Optional.empty());
  }

  /** Binds a loop to a thread axis of a device. Its iterations must be independent. */
  public void bind(Var loop, ThreadAxis axis) {
    setKind(loop, ForKind.THREAD_BINDING, Optional.of(axis));
  }

  /**
   * Inlines a block: the elements of its buffer are computed where they are used. The block and the
   * buffer are removed.
   */
  public void inline(String block) {
    function = Inlining.of(function, block(block));
  }

  /**
   * Moves a block into a loop around all consumers of its output. At the start of each iteration it
   * computes what that iteration reads: a range of each axis, or the whole axis if the range is
   * unknown. Its new loops are serial. Elements that two iterations read are computed twice.
   *
   * <p>All blocks that write the same buffers move together, such as the initialisation of a
   * reduction. They must visit all points of their domains, each writing its own elements, and
   * their inputs must be complete before the loops that they leave.
   *
   * @param block whose result is not an output of the kernel
   */
  public void computeAt(String block, Var loop) {
    function = ComputeAt.of(function, block(block), loopPath(loop));
  }

  /**
   * Moves a consumer block into the loop that computes its input. At the end of each iteration it
   * processes what that iteration wrote, for instance to apply an epilogue to each tile. Its new
   * loops are serial.
   *
   * @param block of spatial axes only, that reads each result at one point, and runs after the loop
   * @param loop whose iterations each give a range of whole results
   */
  public void reverseComputeAt(String block, Var loop) {
    function = ReverseComputeAt.of(function, block(block), loopPath(loop));
  }

  /**
   * Moves the initialisation of a reduction into a separate block before a loop, so that the loop
   * does not test for its first iteration.
   *
   * @param block a reduction with an initialisation
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
   * Factors a reduction: a new block computes a partial result for each iteration of a loop, which
   * makes those iterations independent, and the old block reduces the partial results. They are
   * stored in a new buffer for each output, with an axis for the iterations; another new block,
   * named like the first with {@code _init}, initialises them. Domains may be empty.
   *
   * <p>The block must update its outputs by {@code +}, {@code *}, {@code min}, {@code max}, {@code
   * and} or {@code or}, each of several outputs for itself; or choose all its outputs by a
   * comparison of one of them, as a search for the largest value and its index does. Such a choice
   * is factored only over the outermost loop of the reduction, so that the first of equal
   * candidates is still chosen; the choice among NaNs may change.
   *
   * @param loop along the reduction of one block, and along none of its other axes
   * @param axis where the new axis is among the axes of the new buffers
   * @return the name of the new block: that of the old one with {@code _rf}
   */
  public String rfactor(Var loop, int axis) {
    StmtPath at = loopPath(loop);
    String block = Factoring.blockOf((For) at.stmt());
    function = Factoring.of(function, at, axis, blockNames());
    return Factoring.nameOfPartial(block);
  }

  /**
   * Marks a loop nest as a tensor intrinsic: wraps it in a block with the annotation {@link
   * TensorIntrinsic#ANNOTATION}. The body is unchanged, so devices without the intrinsic run it
   * too; it can no longer be scheduled. {@link TensorIntrinsic} describes what a code generator
   * finds in the block.
   *
   * @param loop whose nest matches the description of the intrinsic
   * @return the name of the new block: that of the first block inside with {@code _tensorized}
   */
  public String tensorize(Var loop, TensorIntrinsic intrinsic) {
    StmtPath at = loopPath(loop);
    String name = Tensorization.name((For) at.stmt(), intrinsic, blockNames());
    function = Tensorization.of(function, at, intrinsic, name);
    return name;
  }

  /**
   * Copies a buffer before a block that reads it; the block then reads the copy. The copying block
   * has the name of the copy.
   *
   * @param copyName the name of the copy, not used by a block
   */
  public void cacheRead(String block, Buffer buffer, MemoryScope scope, String copyName) {
    cache(block, buffer, scope, copyName, true);
  }

  /**
   * Lets a block write to a copy of a buffer; a block named like the copy with {@code _out} then
   * copies it to the buffer.
   *
   * @param copyName of the copy
   */
  public void cacheWrite(String block, Buffer buffer, MemoryScope scope, String copyName) {
    cache(block, buffer, scope, copyName, false);
  }

  private void cache(
      String name, Buffer buffer, MemoryScope scope, String copyName, boolean reads) {
    StmtPath path = block(name);
    Block block = ((BlockRealize) path.stmt()).block();
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
    if (!reads && !(writesAll(block) && isUnconditional((BlockRealize) path.stmt()))) {
      throw Refusal.of(what, "it may leave elements of it as they are");
    }
    Tensorization.requireOpen(block, what);
    path.requireNoBlockAround("it", what);
    Dependences.requireAlone(path.stage(), block, buffer, reads, what);
    if (!reads) {
      Dependences.requireOnlyWriter(function.body(), path, buffer, what);
    }
    String copying = reads ? copyName : copyName + "_out";
    if (blockNames().contains(copying)) {
      throw Refusal.of(what, "there is a block " + copying + " already");
    }
    function = Caching.of(function, path, buffer, scope, copyName, reads);
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

  private StmtPath block(String name) {
    return StmtPath.find(
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
    return (For) loopPath(counter).stmt();
  }

  @SuppressWarnings("ReferenceEquality") // of variables that is equality
  private StmtPath loopPath(Var counter) {
    return StmtPath.find(
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
