package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Finds out what kind of kernel a kernel is, from the indices of loads and stores.
 *
 * <p>Source: docs/spec/passes.md, section 3. In addition,
 *
 * <ul>
 *   <li>symbolic extents and scalar parameters may occur in any index: they do not change while a
 *       kernel runs;
 *   <li>indices are the same only where the extents are too, so a slice from 0 on is {@link
 *       OpPattern#INJECTIVE};
 *   <li>what only adds or drops axes of extent 1, or chooses among inputs by an index, repeats
 *       nothing: it is {@link OpPattern#INJECTIVE} too;
 *   <li>a block that only starts the reduction of a later block counts as a part of it;
 *   <li>a reduction of which not all results leave the kernel counts as one with a stage after it;
 *   <li>loops, conditions and calls within blocks, and axes that run in order, are {@link
 *       OpPattern#OPAQUE}.
 * </ul>
 */
public final class OpPatterns {
  /** The attribute of kernels with {@link OpPattern#code}, a long. */
  public static final String ATTRIBUTE = "op_pattern";

  private final Set<Buffer> parameters;
  private final Scope scope;
  private final List<BlockAccesses> stages = new ArrayList<>();
  private boolean onlyStages = true;

  private OpPatterns(PrimFunc function) {
    this.parameters = new HashSet<>(function.buffers());
    this.scope = Scope.of(function);
    collect(function.body());
  }

  /** The kind of a kernel. */
  public static OpPattern of(PrimFunc function) {
    return new OpPatterns(function).analyze();
  }

  /**
   * The kernel with its kind as {@link #ATTRIBUTE}; as it is when it has one already that is not 0.
   */
  public static PrimFunc annotated(PrimFunc function) {
    if (function.attrs().get(ATTRIBUTE) instanceof Long known && known != 0) {
      return function;
    }
    Map<String, Object> attrs = new LinkedHashMap<>(function.attrs());
    attrs.put(ATTRIBUTE, (long) of(function).code());
    return function.withAttrs(attrs);
  }

  private void collect(Stmt stmt) {
    switch (stmt) {
      case For loop -> collect(loop.body());
      case Seq seq -> seq.statements().forEach(this::collect);
      case BlockRealize realize -> {
        Block block = realize.block();
        if (block.name().equals(Block.ROOT)) {
          collect(block.body());
        } else {
          stages.add(BlockAccesses.of(block));
        }
      }
      default -> onlyStages = false;
    }
  }

  private OpPattern analyze() {
    if (!onlyStages || stages.isEmpty()) {
      return OpPattern.OPAQUE;
    }
    OpPattern kind = OpPattern.ELEMWISE;
    for (int i = 0; i < stages.size(); i++) {
      if (!startsReduction(stages.get(i), stages.subList(i + 1, stages.size()))) {
        kind = with(kind, stages.get(i));
      }
    }
    return kind;
  }

  private static boolean startsReduction(BlockAccesses stage, List<BlockAccesses> later) {
    return stage.loads().isEmpty()
        && !stage.stores().isEmpty()
        && later.stream()
            .anyMatch(other -> other.isReduction() && other.written().equals(stage.written()));
  }

  private OpPattern with(OpPattern before, BlockAccesses stage) {
    if (!stage.isPlain()
        || stage.stores().isEmpty()
        || !stage.storesAtOneIndex()
        || stage.has(IterKind.OPAQUE)) {
      return OpPattern.OPAQUE;
    }
    OpPattern pairs = pairs(stage);
    if (pairs != OpPattern.OPAQUE) {
      boolean afterReduction = before == OpPattern.COMM_REDUCE && writes(stage, true);
      return afterReduction ? OpPattern.OUT_EWISE_FUSABLE : before.max(pairs);
    }
    if (!stage.isReduction()) {
      return OpPattern.OPAQUE;
    }
    boolean more =
        stage.stores().stream().anyMatch(store -> accumulatesProducts(store))
            || hasWindows(stage)
            || (writes(stage, true) && writes(stage, false));
    return before.max(more ? OpPattern.OUT_EWISE_FUSABLE : OpPattern.COMM_REDUCE);
  }

  /** Whether a stage writes a buffer that is a parameter, or one that is not. */
  private boolean writes(BlockAccesses stage, boolean parameter) {
    return stage.written().stream().anyMatch(buffer -> parameters.contains(buffer) == parameter);
  }

  private OpPattern pairs(BlockAccesses stage) {
    OpPattern kind = OpPattern.ELEMWISE;
    boolean elementwise = false;
    boolean repeated = false;
    for (BlockAccesses.Use use : stage.loads()) {
      IndexPair pair = new IndexPair(use, stage.stores().getFirst(), scope);
      OpPattern pattern = pair.pattern();
      elementwise |= pattern == OpPattern.ELEMWISE;
      repeated |= pattern == OpPattern.BROADCAST && pair.isRepeated();
      kind = kind.max(pattern);
    }
    if (kind != OpPattern.BROADCAST) {
      return kind;
    }
    return elementwise ? OpPattern.ELEMWISE : repeated ? OpPattern.BROADCAST : OpPattern.INJECTIVE;
  }

  /** Whether it adds to an element the product of two loads that are used for others as well. */
  private boolean accumulatesProducts(BufferStore store) {
    if (!(scope.bare(store.value()) instanceof Binary sum) || sum.op() != BinaryOp.ADD) {
      return false;
    }
    PrimExpr element = store.buffer().load(store.indices());
    for (List<PrimExpr> sides : List.of(sum.operands(), sum.operands().reversed())) {
      if (scope.bare(sides.get(0)).equals(element)
          && scope.bare(sides.get(1)) instanceof Binary product
          && product.op() == BinaryOp.MUL
          && product.operands().stream().allMatch(factor -> isReused(store, factor))) {
        return true;
      }
    }
    return false;
  }

  private boolean isReused(BufferStore store, PrimExpr factor) {
    Set<Var> indexVars = IndexPair.indexVars(store.indices(), scope);
    return scope.bare(factor) instanceof BufferLoad load
        && indexVars.size() == store.indices().size()
        && !scope.varyingIn(load.indices()).containsAll(indexVars);
  }

  /** Whether an index has more to it than the axis of a reduction that is in it. */
  private boolean hasWindows(BlockAccesses stage) {
    Set<Var> reduced = new HashSet<>();
    for (IterVar axis : stage.block().iterVars()) {
      if (axis.kind() == IterKind.REDUCE) {
        reduced.add(axis.var());
      }
    }
    return stage.loads().stream()
        .flatMap(use -> use.load().indices().stream())
        .anyMatch(
            index ->
                !(index instanceof Var var && reduced.contains(var))
                    && scope.varyingIn(List.of(index)).stream().anyMatch(reduced::contains));
  }
}
