package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.ReducedAxes;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Matrix and vector products. */
public final class LinearOps {
  private LinearOps() {}

  /**
   * The matrix product of {@code [..., m, k]} and {@code [..., k, n]}. The leading axes are
   * broadcast. A vector counts as a row on the left and as a column on the right; the result lacks
   * that axis.
   *
   * <p>Products and sums are computed in the dtype of the result, float16 and bfloat16 in float32.
   *
   * @param outDType null means that of both operands, which must then be the same
   */
  public static TensorExpr matmul(
      KernelBuilder k, String name, TensorExpr a, TensorExpr b, @Nullable DType outDType) {
    String op = "matmul";
    Check.numbers(op, a);
    Check.numbers(op, b);
    Check.rankAtLeast(op, a, 1);
    Check.rankAtLeast(op, b, 1);
    if (outDType == null) {
      Check.sameDType(op, a, b);
    }
    DType dtype = outDType == null ? a.dtype() : outDType;
    boolean row = a.shape().size() == 1;
    boolean column = b.shape().size() == 1;
    PrimExpr inner = a.shape().getLast();
    Dims.requireSame(
        op,
        inner,
        b.shape().get(column ? 0 : b.shape().size() - 2),
        "the reduced extents of " + a.name() + " and " + b.name());
    List<PrimExpr> batchA = a.shape().subList(0, Math.max(0, a.shape().size() - 2));
    List<PrimExpr> batchB = b.shape().subList(0, Math.max(0, b.shape().size() - 2));
    List<PrimExpr> batch = Dims.broadcast(op, batchA, batchB);
    List<PrimExpr> shape = new ArrayList<>(batch);
    if (!row) {
      shape.add(a.shape().get(a.shape().size() - 2));
    }
    if (!column) {
      shape.add(b.shape().getLast());
    }
    DType wide = Arith.wide(dtype);
    TensorExpr result =
        ReducedAxes.accumulate(
            k,
            name,
            dtype,
            shape,
            List.of(inner),
            Reducer.SUM,
            (i, r) -> {
              List<PrimExpr> position = i.subList(0, batch.size());
              List<PrimExpr> left = batchIndex(batchA, position);
              List<PrimExpr> right = batchIndex(batchB, position);
              if (!row) {
                left.add(i.get(batch.size()));
              }
              left.add(r.getFirst());
              right.add(r.getFirst());
              if (!column) {
                right.add(i.getLast());
              }
              return Exprs.mul(Exprs.cast(wide, a.at(left)), Exprs.cast(wide, b.at(right)));
            });
    matmulHint(a, b, result).ifPresent(hint -> hint.recordOn(k, List.of(a, b), result));
    return result;
  }

  private static List<PrimExpr> batchIndex(List<PrimExpr> batch, List<PrimExpr> position) {
    List<PrimExpr> index = new ArrayList<>();
    for (int axis = 0; axis < batch.size(); axis++) {
      PrimExpr at = position.get(position.size() - batch.size() + axis);
      index.add(Dims.isOne(batch.get(axis)) ? IntImm.of(0) : at);
    }
    return index;
  }

  private static Optional<LibraryHint> matmulHint(TensorExpr a, TensorExpr b, TensorExpr out) {
    boolean areMatrices =
        a.shape().size() >= 2 && b.shape().size() >= 2 && LibraryHint.canName(List.of(a, b, out));
    if (areMatrices && isByte(a) && isByte(b) && out.dtype().equals(DType.INT32)) {
      return Optional.of(
          new LibraryHint(
              "relaxvm.matmul_integer",
              List.of(
                  LibraryHint.param(a),
                  LibraryHint.param(b),
                  new LibraryArg.OfBoolean(false),
                  new LibraryArg.OfBoolean(false),
                  LibraryHint.param(out))));
    }
    boolean fits = areMatrices && a.dtype().equals(b.dtype()) && a.dtype().equals(out.dtype());
    return fits
        ? Optional.of(
            new LibraryHint(
                "relaxvm.matmul",
                List.of(
                    LibraryHint.param(a),
                    LibraryHint.param(b),
                    new LibraryArg.OfNull(),
                    new LibraryArg.OfBoolean(false),
                    new LibraryArg.OfBoolean(false),
                    new LibraryArg.OfText("none"),
                    LibraryHint.param(out))))
        : Optional.empty();
  }

  private static boolean isByte(TensorExpr tensor) {
    return tensor.dtype().equals(DType.INT8) || tensor.dtype().equals(DType.UINT8);
  }

  /**
   * {@code x @ weight^T + bias}.
   *
   * @param weight {@code [out, in]}
   * @param bias {@code [out]}, or null
   */
  public static TensorExpr linear(
      KernelBuilder k, String name, TensorExpr x, TensorExpr weight, @Nullable TensorExpr bias) {
    String op = "linear";
    Check.numbers(op, x);
    Check.sameDType(op, x, weight);
    Check.rankAtLeast(op, x, 1);
    Check.rank(op, weight, 2);
    Dims.requireSame(op, x.shape().getLast(), weight.shape().get(1), "the reduced extents");
    int last = x.shape().size() - 1;
    DType wide = Arith.wide(x.dtype());
    List<PrimExpr> shape = AxisLists.with(x.shape(), last, weight.shape().get(0));
    TensorExpr result =
        k.reduce(
            name + "_product",
            shape,
            List.of(x.shape().getLast()),
            Reducer.SUM,
            (i, r) ->
                Exprs.mul(
                    Exprs.cast(wide, x.at(AxisLists.with(i, last, r.getFirst()))),
                    Exprs.cast(wide, weight.at(i.getLast(), r.getFirst()))));
    if (bias == null) {
      return k.compute(name, shape, i -> Exprs.cast(x.dtype(), result.at(i)));
    }
    Check.rank(op, bias, 1);
    Check.sameDType(op, x, bias);
    Dims.requireSame(op, bias.shape().getFirst(), weight.shape().get(0), "the extents of outputs");
    return k.compute(
        name,
        shape,
        i ->
            Exprs.cast(x.dtype(), Exprs.add(result.at(i), Exprs.cast(wide, bias.at(i.getLast())))));
  }

  /** All products of elements of two vectors: {@code [m, n]}. */
  public static TensorExpr outer(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    Check.numbers("outer", a);
    Check.sameDType("outer", a, b);
    Check.rank("outer", a, 1);
    Check.rank("outer", b, 1);
    return k.compute(
        name,
        List.of(a.shape().getFirst(), b.shape().getFirst()),
        i -> Exprs.mul(a.at(i.get(0)), b.at(i.get(1))));
  }

  /**
   * The sum over letters of products of elements, such as {@code bij,bjk->bik}. Without an arrow
   * the result has the letters that occur once, in alphabetical order. A letter may occur twice in
   * one operand: its diagonal counts. An ellipsis, as in {@code ...ij,...jk->...ik}, stands for the
   * axes that have no letters; those of several operands are aligned at the last one and broadcast.
   * Without an arrow they come first.
   *
   * @param operands of one dtype, as many as there are lists of letters
   */
  public static TensorExpr einsum(
      KernelBuilder k, String name, List<TensorExpr> operands, String subscripts) {
    EinsumLetters letters = EinsumLetters.of(subscripts, operands);
    DType dtype = operands.getFirst().dtype();
    DType wide = Arith.wide(dtype);
    return ReducedAxes.accumulate(
        k,
        name,
        dtype,
        letters.extents(letters.output()),
        letters.extents(letters.summed()),
        Reducer.SUM,
        (i, r) -> {
          PrimExpr product = null;
          for (int n = 0; n < operands.size(); n++) {
            List<PrimExpr> index = letters.index(n, operands.get(n).shape(), i, r);
            PrimExpr factor = Exprs.cast(wide, operands.get(n).at(index));
            product = product == null ? factor : Exprs.mul(product, factor);
          }
          return product == null ? Arith.of(wide, 1) : product;
        });
  }
}
