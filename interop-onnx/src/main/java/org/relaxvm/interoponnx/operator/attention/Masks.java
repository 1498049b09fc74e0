package org.relaxvm.interoponnx.operator.attention;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * What is added to the scores {@code [b, n, sq, sk]} of attention, collected from conditions and
 * from numbers. Not thread-safe.
 */
public final class Masks {
  private final NodeContext node;
  private final Emitter e;
  private final List<PrimExpr> scores;
  private @Nullable Expr visible;
  private @Nullable Expr added;

  /**
   * @param scores the extents of the scores
   */
  public Masks(NodeContext node, List<PrimExpr> scores) {
    this.node = node;
    this.e = new Emitter(node);
    this.scores = List.copyOf(scores);
  }

  /** The index of each query, {@code [sq, 1]}. */
  public Expr queries() {
    return e.unsqueeze(e.range(scores.get(2)), 1);
  }

  /** The index of each key, {@code [sk]}. */
  public Expr keys() {
    return e.range(scores.get(3));
  }

  /** A number for each batch, {@code [b]}, as {@code [b, 1, 1, 1]} int64. */
  public Expr perBatch(Expr numbers) {
    Expr fitting = e.withDims(numbers, List.of(scores.getFirst()));
    return e.unsqueeze(e.cast(fitting, DType.INT64), 1, 2, 3);
  }

  /**
   * A condition that holds for what is visible.
   *
   * @param condition of 1 to 4 axes, which are the last ones of the scores
   */
  public void require(Expr condition) {
    Expr all = e.broadcastable(e.withRank(condition, 4), scores);
    visible = visible == null ? all : e.and(visible, all);
  }

  /** Numbers that are added to the scores, of up to 4 axes. */
  public void add(Expr numbers) {
    Expr all = e.broadcastable(e.withRank(numbers, 4), scores);
    added = added == null ? all : e.add(added, all);
  }

  /**
   * A number is added where a condition does not hold.
   *
   * @param condition of 1 to 4 axes
   */
  public void addWhereNot(Expr condition, DType dtype, double number) {
    add(e.where(condition, node.scalar(dtype, 0), node.scalar(dtype, number)));
  }

  /** Queries see keys up to their own position plus a number of keys. */
  public void requireCausal(Expr offset) {
    require(e.lessEqual(keys(), e.add(queries(), offset)));
  }

  /** Queries at {@code index + offset} see at most so many keys before their position. */
  public void requireLeft(Expr offset, long window) {
    Expr position = e.add(queries(), offset);
    require(e.lessEqual(position, e.add(keys(), e.scalar(IntImm.of(window)))));
  }

  /** Queries at {@code index + offset} see at most so many keys after their position. */
  public void requireRight(Expr offset, long window) {
    Expr limit = e.add(e.add(queries(), offset), e.scalar(IntImm.of(window)));
    require(e.lessEqual(keys(), limit));
  }

  /** Keys below a number for each batch are visible. */
  public void requireBelow(Expr counts) {
    require(e.less(keys(), perBatch(counts)));
  }

  /**
   * A mask whose last axis may be shorter than the keys, as ONNX has it.
   *
   * @param mask booleans that are true for what is visible, or numbers that are added
   */
  public void addMask(Expr mask) {
    boolean isBoolean = node.dtype(mask).equals(DType.BOOL);
    Expr all = padded(e.withRank(mask, 4), isBoolean);
    if (isBoolean) {
      require(all);
    } else {
      add(all);
    }
  }

  private Expr padded(Expr mask, boolean isBoolean) {
    List<PrimExpr> dims = node.dims(mask);
    PrimExpr missing = e.difference(scores.get(3), dims.get(3));
    boolean isWhole =
        missing instanceof IntImm known
            ? known.value() <= 0
            : e.areEqual(scores.get(3), dims.get(3));
    if (isWhole) {
      return mask;
    }
    List<PrimExpr> shape = List.of(dims.get(0), dims.get(1), dims.get(2), missing);
    Expr tail =
        isBoolean
            ? e.zeros(shape, DType.BOOL)
            : e.full(shape, node.dtype(mask), Double.NEGATIVE_INFINITY);
    return e.concat(3, mask, tail);
  }

  /** Whether nothing was collected. */
  public boolean isEmpty() {
    return visible == null && added == null;
  }

  /**
   * What is added to the scores.
   *
   * @return of 4 axes, each of extent 1 or that of the scores; empty where it is nothing
   */
  public Optional<Expr> sum(DType dtype) {
    Expr numbers = added == null ? null : e.cast(added, dtype);
    if (visible == null) {
      return Optional.ofNullable(numbers);
    }
    Expr shown = numbers == null ? node.scalar(dtype, 0) : numbers;
    return Optional.of(e.where(visible, shown, node.scalar(dtype, Double.NEGATIVE_INFINITY)));
  }

  /** An extent as an operand of arithmetic with int64 tensors. */
  static Expr offset(PrimExpr extent) {
    return new PrimValue(extent);
  }

  /** Whether two extents differ by a third. */
  static boolean isDifference(Emitter e, PrimExpr a, PrimExpr b, PrimExpr difference) {
    return e.areEqual(e.simplify(Exprs.sub(a, b)), difference);
  }
}
