package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Elements at indices that tensors hold; any dtype. Unless it is said otherwise, an index from
 * {@code -n} to {@code n - 1} is right for an extent {@code n}, and negative ones count from the
 * end.
 */
public final class IndexingOps {
  /** What becomes of indices out of bounds. */
  public enum Mode {
    /** They must not be there. */
    FAST,
    /** They are taken modulo the extent. */
    WRAP,
    /** They are brought into 0 to {@code n - 1}. */
    CLIP,
    /** All but 0 to {@code n - 1} give NaN; floats only. */
    NAN
  }

  private IndexingOps() {}

  /**
   * Slices of {@code x} along an axis.
   *
   * @param indices integers of any shape, which replaces the axis; for a number a tensor of rank 0
   * @param axis null for an {@code x} of rank 1
   */
  public static TensorExpr take(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr indices,
      @Nullable Integer axis,
      Mode mode) {
    Check.integers("take", indices);
    if (axis == null) {
      Check.rank("take without an axis", x, 1);
    }
    if (mode == Mode.NAN) {
      Check.dtype("take", x, DType::isFloat, "a float dtype for mode nan");
    }
    int along = Check.axis("take", axis == null ? 0 : axis, x.shape().size());
    PrimExpr extent = x.shape().get(along);
    int more = indices.shape().size();
    List<PrimExpr> before = x.shape().subList(0, along);
    List<PrimExpr> after = x.shape().subList(along + 1, x.shape().size());
    return k.compute(
        name,
        AxisLists.joined(before, indices.shape(), after),
        i -> {
          PrimExpr raw = indices.at(i.subList(along, along + more));
          PrimExpr index = Arith.index(raw);
          PrimExpr at = position(raw, extent, mode);
          PrimExpr value =
              x.at(
                  AxisLists.joined(
                      i.subList(0, along), List.of(at), i.subList(along + more, i.size())));
          return mode == Mode.NAN
              ? Exprs.ifThenElse(
                  Arith.within(index, IntImm.of(0), extent), value, Arith.of(x.dtype(), Double.NaN))
              : value;
        });
  }

  private static PrimExpr position(PrimExpr raw, PrimExpr extent, Mode mode) {
    return switch (mode) {
      case FAST -> Arith.fromStart(raw, extent);
      case WRAP -> Exprs.floorMod(Arith.index(raw), extent);
      case CLIP -> Arith.clamp(Arith.index(raw), IntImm.of(0), Exprs.sub(extent, 1));
      case NAN -> Arith.index(raw);
    };
  }

  /**
   * The gradient of {@link #take}: zeros of the shape of {@code x}, to which each slice of the
   * gradient is added where it was taken from. With {@link Mode#NAN}, slices that were taken from
   * nowhere are added nowhere.
   *
   * @param gradient of the slices
   */
  public static TensorExpr takeGradient(
      KernelBuilder k,
      String name,
      TensorExpr gradient,
      TensorExpr x,
      TensorExpr indices,
      @Nullable Integer axis,
      Mode mode) {
    String op = "take_backward";
    Check.floats(op, x);
    Check.sameDType(op, gradient, x);
    Check.integers(op, indices);
    if (axis == null) {
      Check.rank(op + " without an axis", x, 1);
    }
    int along = Check.axis(op, axis == null ? 0 : axis, x.shape().size());
    int more = indices.shape().size();
    Check.rank(op, gradient, x.shape().size() - 1 + more);
    PrimExpr extent = x.shape().get(along);
    Buffer out = Buffer.of(name, x.dtype(), x.shape());
    PrimExpr zero = Arith.of(x.dtype(), 0);
    Stmt zeros = Lines.loops("z", x.shape(), i -> new BufferStore(out, zero, i));
    Stmt adds =
        Lines.loops(
            "g",
            gradient.shape(),
            i -> {
              PrimExpr raw = indices.at(i.subList(along, along + more));
              List<PrimExpr> at =
                  AxisLists.joined(
                      i.subList(0, along),
                      List.of(position(raw, extent, mode)),
                      i.subList(along + more, i.size()));
              Stmt add = new BufferStore(out, Exprs.add(out.load(at), gradient.at(i)), at);
              return mode == Mode.NAN
                  ? Lines.when(Arith.within(Arith.index(raw), IntImm.of(0), extent), add)
                  : add;
            });
    return k.statements(name, List.of(out), Lines.seq(zeros, adds)).getFirst();
  }

  /** The element at the same index, but for an axis, along which the index counts. */
  public static TensorExpr gatherElements(
      KernelBuilder k, String name, TensorExpr x, TensorExpr indices, int axis) {
    Check.integers("gather_elements", indices);
    Check.rank("gather_elements", indices, x.shape().size());
    int along = Check.axis("gather_elements", axis, x.shape().size());
    return k.compute(
        name,
        indices.shape(),
        i -> x.at(AxisLists.with(i, along, Arith.fromStart(indices.at(i), x.shape().get(along)))));
  }

  /**
   * Slices that lines of indices name: {@code x} is {@code [b..., n1, ..., nl, tail...]}, the
   * indices {@code [b..., m..., l]}, the result {@code [b..., m..., tail...]}.
   */
  public static TensorExpr gatherNd(
      KernelBuilder k, String name, TensorExpr x, TensorExpr indices, int batchDims) {
    String op = "gather_nd";
    Check.integers(op, indices);
    Check.rankAtLeast(op, indices, 1);
    int last = indices.shape().size() - 1;
    int length = lineLength(op, indices);
    Check.that(
        batchDims >= 0 && batchDims <= last && batchDims + length <= x.shape().size(),
        op,
        "indices of length "
            + length
            + " and "
            + Count.axes(batchDims)
            + " of batches do not fit the rank "
            + x.shape().size());
    List<PrimExpr> tail = x.shape().subList(batchDims + length, x.shape().size());
    return k.compute(
        name,
        AxisLists.joined(indices.shape().subList(0, last), tail),
        i -> {
          List<PrimExpr> index = new ArrayList<>(i.subList(0, batchDims));
          index.addAll(line(indices, i.subList(0, last), length, x.shape(), batchDims));
          index.addAll(i.subList(last, i.size()));
          return x.at(index);
        });
  }

  static int lineLength(String op, TensorExpr indices) {
    PrimExpr last = indices.shape().getLast();
    Check.that(
        last instanceof IntImm,
        op,
        "the last extent of the indices must be a constant, but is " + Dims.text(last));
    return (int) Dims.known(last).orElseThrow();
  }

  static List<PrimExpr> line(
      TensorExpr indices, List<PrimExpr> position, int length, List<PrimExpr> shape, int from) {
    List<PrimExpr> index = new ArrayList<>();
    for (int n = 0; n < length; n++) {
      PrimExpr raw = indices.at(AxisLists.<PrimExpr>joined(position, List.of(IntImm.of(n))));
      index.add(Arith.fromStart(raw, shape.get(from + n)));
    }
    return index;
  }

  /** The first axes of {@code x} indexed by tensors that are broadcast against each other. */
  public static TensorExpr indexTensor(
      KernelBuilder k, String name, TensorExpr x, List<TensorExpr> indices) {
    String op = "index_tensor";
    Check.that(
        !indices.isEmpty() && indices.size() <= x.shape().size(),
        op,
        indices.size() + " tensors of indices do not fit the rank " + x.shape().size());
    indices.forEach(index -> Check.integers(op, index));
    List<PrimExpr> positions = Dims.broadcast(op, indices);
    return k.compute(
        name,
        AxisLists.joined(positions, x.shape().subList(indices.size(), x.shape().size())),
        i -> {
          List<PrimExpr> position = i.subList(0, positions.size());
          List<PrimExpr> index = new ArrayList<>();
          for (int n = 0; n < indices.size(); n++) {
            index.add(Arith.fromStart(Dims.at(indices.get(n), position), x.shape().get(n)));
          }
          index.addAll(i.subList(positions.size(), i.size()));
          return x.at(index);
        });
  }

  /** {@code a} where the condition is true, else {@code b}; all three are broadcast. */
  public static TensorExpr where(
      KernelBuilder k, String name, TensorExpr condition, TensorExpr a, TensorExpr b) {
    Check.booleans("where", condition);
    Check.sameDType("where", a, b);
    return k.compute(
        name,
        Dims.broadcast("where", List.of(condition, a, b)),
        i -> Exprs.select(Dims.at(condition, i), Dims.at(a, i), Dims.at(b, i)));
  }

  /**
   * How many of ascending boundaries lie below each element; NaN is above all.
   *
   * @param boundaries rank 1, of the dtype of {@code x}
   * @param right whether boundaries that are equal count too
   * @param dtype int32 or int64
   */
  public static TensorExpr bucketize(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr boundaries,
      boolean right,
      DType dtype) {
    Check.numbers("bucketize", x);
    Check.sameDType("bucketize", x, boundaries);
    Check.rank("bucketize", boundaries, 1);
    requireIndices("bucketize", dtype);
    return k.reduce(
        name,
        x.shape(),
        boundaries.shape(),
        Reducer.SUM,
        (i, r) -> {
          PrimExpr value = x.at(i);
          PrimExpr edge = boundaries.at(r);
          PrimExpr above = right ? Arith.gt(edge, value) : Arith.ge(edge, value);
          return Exprs.cast(dtype, Exprs.not(above));
        });
  }

  static void requireIndices(String op, DType dtype) {
    Predicate<DType> fits = DTypes::isInteger;
    Check.that(
        fits.test(dtype) && dtype.bits() >= 32 && !DTypes.isUnsigned(dtype),
        op,
        "expected indices of int32 or int64, but got " + dtype);
  }
}
