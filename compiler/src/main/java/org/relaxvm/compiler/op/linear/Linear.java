package org.relaxvm.compiler.op.linear;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.ResultDTypes;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.DeterminantOps;
import org.relaxvm.tir.op.LinearOps;

/**
 * Matrix and vector products of numbers, and determinants. Sums are computed in the dtype of the
 * result, of narrower floats than float32 in float32.
 *
 * <p>Source: docs/spec/op-set.md, section 2.7.
 */
public final class Linear {
  /**
   * The matrix product of {@code [..., m, k]} and {@code [..., k, n]}; the leading axes are
   * broadcast. A vector counts as a row on the left and as a column on the right; the result lacks
   * that axis. With {@code out_dtype} the operands may have different dtypes. They may be float8,
   * too.
   */
  public static final OpDef MATMUL =
      OpDef.named("matmul")
          .args("x1", "x2")
          .attrs(AttrSpec.optional("out_dtype", Kind.DTYPE))
          .rule(MatmulRule::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "matmul",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              LinearOps.matmul(
                                  k,
                                  "matmul",
                                  inputs.tensor(0),
                                  inputs.tensor(1),
                                  ResultDTypes.given(call, "out_dtype").orElse(null)))))
          .build();

  /** All products of elements of two vectors: {@code [m, n]}. */
  public static final OpDef OUTER =
      OpDef.named("outer")
          .args("x1", "x2")
          .rule(Linear::outerType)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "outer",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              LinearOps.outer(k, "outer", inputs.tensor(0), inputs.tensor(1)))))
          .build();

  /** The sum over letters of products of elements, such as {@code bij,bjk->bik}, of a tuple. */
  public static final OpDef EINSUM =
      OpDef.named("einsum")
          .args("operands")
          .attrs(AttrSpec.required("subscripts", Kind.TEXT))
          .rule(EinsumRule::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "einsum",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              LinearOps.einsum(
                                  k, "einsum", inputs.tensors(0), EinsumRule.subscripts(call)))))
          .build();

  /** The determinants of floats {@code [..., n, n]}: {@code [...]}. */
  public static final OpDef DETERMINANT =
      OpDef.named("determinant")
          .args("x")
          .rule(Linear::determinantType)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "determinant",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              DeterminantOps.determinant(k, "determinant", inputs.tensor(0)))))
          .build();

  private Linear() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(MATMUL, OUTER, EINSUM, DETERMINANT);
  }

  private static Type outerType(OpCall call) {
    ElementTypes.numbers(call, 0);
    ElementTypes.numbers(call, 1);
    TensorType a = Ranks.require(call, 0, 1);
    TensorType b = Ranks.require(call, 1, 1);
    List<Operand> operands = Operand.all(call, 0, 1);
    Optional<DType> dtype = ElementTypes.same(call, operands);
    TensorType result = TensorType.ofRank(dtype, 2).withVDevice(CommonDevice.same(call, operands));
    return a.dims().isPresent() && b.dims().isPresent()
        ? result.withDims(List.of(a.dims().get().getFirst(), b.dims().get().getFirst()))
        : result;
  }

  private static Type determinantType(OpCall call) {
    ElementTypes.floats(call, 0);
    TensorType x = Ranks.atLeast(call, 0, 2);
    if (x.dims().isEmpty()) {
      return x.withRank(x.hasRank() ? x.ndim() - 2 : ShapeType.UNKNOWN);
    }
    List<PrimExpr> dims = x.dims().get();
    int rows = dims.size() - 2;
    Extents.requireSame(call, dims.get(rows), dims.getLast(), "the last two axes of x");
    return x.withDims(dims.subList(0, rows));
  }

  /** The matrix product of operands of one dtype. */
  public static Call matmul(Expr a, Expr b) {
    return Call.of(MATMUL, a, b);
  }

  /** The matrix product, in a dtype. */
  public static Call matmul(Expr a, Expr b, DType outDType) {
    return Call.of(MATMUL, List.of(a, b), Attrs.of("out_dtype", outDType));
  }

  /**
   * {@code x @ weight^T}.
   *
   * @param weight {@code [out, in]}
   */
  public static Call linear(Expr x, Expr weight) {
    return matmul(x, Orders.transpose(weight));
  }

  /**
   * {@code x @ weight^T + bias}.
   *
   * @param weight {@code [out, in]}
   * @param bias {@code [out]}
   */
  public static Call linear(Expr x, Expr weight, Expr bias) {
    return Arithmetic.add(linear(x, weight), bias);
  }

  /** All products of elements of two vectors. */
  public static Call outer(Expr a, Expr b) {
    return Call.of(OUTER, a, b);
  }

  /** The determinants of square matrices. */
  public static Call determinant(Expr x) {
    return Call.of(DETERMINANT, x);
  }

  /** The sum over letters of products of elements. */
  public static Call einsum(String subscripts, Expr... operands) {
    return Call.of(EINSUM, List.of(Tuple.of(operands)), Attrs.of("subscripts", subscripts));
  }
}
