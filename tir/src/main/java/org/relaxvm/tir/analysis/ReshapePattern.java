package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Finds kernels that copy elements in row-major order and so only change the shape.
 *
 * <p>It says that the element at position {@code f} of the last buffer is that at position {@code
 * f} of the first one, and that every position is written if there are as many in both. Whether
 * there are is for the caller to check, who knows the shapes of a call: a slice that begins at 0 is
 * found here too. The caller also checks which argument the kernel uses when it has several. Both
 * buffers have the same dtype, since a cast is no copy.
 *
 * <p>Source: docs/spec/passes.md, section 7.
 */
public final class ReshapePattern {
  private final Analyzer analyzer = new Analyzer();
  private final List<IterVar> axes;

  private ReshapePattern(List<IterVar> axes) {
    this.axes = axes;
  }

  /**
   * Whether a kernel is such a copy from its first to its last buffer. Not to know is not to match.
   *
   * @param function with any loops around a single block; schedules do not matter, since the axes
   *     of a block take all values of their domains
   */
  public static boolean matches(PrimFunc function) {
    List<Buffer> buffers = function.buffers();
    if (buffers.size() < 2 || !isDense(buffers.getFirst()) || !isDense(buffers.getLast())) {
      return false;
    }
    List<For> loops = new ArrayList<>();
    Stmt stmt = function.body();
    while (stmt instanceof For
        || (stmt instanceof BlockRealize root && root.block().name().equals(Block.ROOT))) {
      if (stmt instanceof For loop) {
        loops.add(loop);
        stmt = loop.body();
      } else if (stmt instanceof BlockRealize root) {
        stmt = root.block().body();
      }
    }
    return stmt instanceof BlockRealize realize
        && realize.block().init().isEmpty()
        && realize.block().iterVars().stream().allMatch(ReshapePattern::isFromZero)
        && realize.block().body() instanceof BufferStore store
        && store.buffer().equals(buffers.getLast())
        && store.value() instanceof BufferLoad load
        && load.buffer().equals(buffers.getFirst())
        && takesAllPoints(realize, loops)
        && new ReshapePattern(realize.block().iterVars()).isSameOffset(load, store);
  }

  private static boolean isDense(Buffer buffer) {
    return buffer.strides().isEmpty()
        && buffer.elemOffset().equals(IntImm.of(0))
        && buffer.scope() == MemoryScope.GLOBAL;
  }

  private static boolean isFromZero(IterVar axis) {
    return axis.kind() == IterKind.SPATIAL && axis.domain().min().equals(IntImm.of(0));
  }

  /** Whether nothing shows that the block leaves out points of its domain. */
  private static boolean takesAllPoints(BlockRealize realize, List<For> loops) {
    Analyzer analyzer = new Analyzer();
    PrimExpr inDomain = IntImm.of(true);
    List<PrimExpr> extents = new ArrayList<>();
    for (int i = 0; i < realize.iterValues().size(); i++) {
      PrimExpr value = realize.iterValues().get(i);
      PrimExpr extent = realize.block().iterVars().get(i).domain().extent();
      extents.add(extent);
      inDomain = Exprs.and(inDomain, Exprs.le(IntImm.of(0), value));
      inDomain = Exprs.and(inDomain, Exprs.lt(value, extent));
      for (For loop : loops) {
        boolean whole =
            loop.min().equals(IntImm.of(0)) && analyzer.canProveEqual(loop.extent(), extent);
        if (value.equals(loop.loopVar()) && !whole) {
          return false;
        }
      }
    }
    if (realize.predicate().equals(IntImm.of(true))) {
      return true;
    }
    PrimExpr offset = Exprs.rowMajorOffset(realize.iterValues(), extents);
    try (Analyzer.Scope scope = analyzer.withConstraint(inDomain)) {
      return holds(analyzer, realize.predicate(), offset, Exprs.product(extents));
    }
  }

  /**
   * Whether a condition holds at each point of a domain.
   *
   * @param offset the number of the point, which is less than the count
   */
  private static boolean holds(
      Analyzer inDomain, PrimExpr condition, PrimExpr offset, PrimExpr count) {
    if (inDomain.canProve(condition)) {
      return true;
    }
    return condition instanceof Binary binary
        && switch (binary.op()) {
          case AND ->
              holds(inDomain, binary.a(), offset, count)
                  && holds(inDomain, binary.b(), offset, count);
          case LT ->
              inDomain.canProveEqual(binary.a(), offset)
                  && inDomain.canProveEqual(binary.b(), count);
          default -> false;
        };
  }

  private boolean isSameOffset(BufferLoad load, BufferStore store) {
    if (axes.stream()
        .anyMatch(axis -> analyzer.canProveEqual(axis.domain().extent(), IntImm.of(0)))) {
      return true;
    }
    axes.forEach(axis -> analyzer.bind(axis.var(), axis.domain()));
    boolean wholeTarget = isWhole(store.buffer(), store.indices());
    boolean wholeSource = isWhole(load.buffer(), load.indices());
    PrimExpr from = Exprs.rowMajorOffset(load.indices(), load.buffer().shape());
    PrimExpr to = Exprs.rowMajorOffset(store.indices(), store.buffer().shape());
    return (wholeTarget || wholeSource)
        && (analyzer.canProveEqual(from, to)
            || (wholeTarget && isIndexOf(to, load.buffer(), load.indices()))
            || (wholeSource && isIndexOf(from, store.buffer(), store.indices())));
  }

  /** Whether indices are what quotients and remainders make of an offset. */
  private boolean isIndexOf(PrimExpr offset, Buffer buffer, List<PrimExpr> indices) {
    List<PrimExpr> expected = Exprs.rowMajorIndex(offset, buffer.shape());
    for (int axis = 0; axis < indices.size(); axis++) {
      if (!analyzer.canProveEqual(indices.get(axis), expected.get(axis))) {
        return false;
      }
    }
    return !indices.isEmpty();
  }

  /** Whether each element has one point of the block: indices are all the axes, in any order. */
  private boolean isWhole(Buffer buffer, List<PrimExpr> indices) {
    Set<Var> open = new HashSet<>();
    for (IterVar axis : axes) {
      if (!analyzer.canProveEqual(axis.domain().extent(), IntImm.of(1))) {
        open.add(axis.var());
      }
    }
    for (int i = 0; i < indices.size(); i++) {
      PrimExpr extent = buffer.shape().get(i);
      boolean unit = analyzer.canProveEqual(extent, IntImm.of(1));
      boolean along =
          indices.get(i) instanceof Var var
              && axis(var).isPresent()
              && analyzer.canProveEqual(axis(var).get().domain().extent(), extent)
              && open.remove(var);
      if (!unit && !along) {
        return false;
      }
    }
    return open.isEmpty();
  }

  private Optional<IterVar> axis(Var var) {
    return axes.stream().filter(axis -> axis.var().equals(var)).findFirst();
  }
}
