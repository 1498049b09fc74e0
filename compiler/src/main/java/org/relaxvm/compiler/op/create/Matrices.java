package org.relaxvm.compiler.op.create;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.ResultDTypes;
import org.relaxvm.compiler.op.typerule.ScalarArgs;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Diagonals and triangles. Source: docs/spec/op-set.md, section 2.3. */
public final class Matrices {
  /** {@code n} rows and {@code m} columns, 1 on the diagonal {@code k} right of the main one. */
  public static final OpDef EYE =
      OpDef.named("eye")
          .args("n", "m", "k")
          .attrs(AttrSpec.required("dtype", Kind.DTYPE))
          .rule(Matrices::eyeType)
          .legalizer((call, kernels) -> eyeKernel(call, kernels, 2))
          .build();

  /** {@link #EYE} in the shape of a matrix, and in its dtype unless another is given. */
  public static final OpDef EYE_LIKE =
      OpDef.named("eye_like")
          .args("x", "k")
          .attrs(AttrSpec.optional("dtype", Kind.DTYPE))
          .rule(Matrices::eyeLikeType)
          .legalizer((call, kernels) -> eyeKernel(call, kernels, 1))
          .build();

  /** The elements on and below the diagonal {@code k} right of the main one, else 0. */
  public static final OpDef TRIL = triangle("tril", CreationOps::tril);

  /** The elements on and above the diagonal {@code k} right of the main one, else 0. */
  public static final OpDef TRIU = triangle("triu", CreationOps::triu);

  /** One scalar where the place along a new axis is the index, another elsewhere. */
  public static final OpDef ONE_HOT =
      OpDef.named("one_hot")
          .args("indices", "on_value", "off_value")
          .attrs(AttrSpec.required("depth", Kind.INTEGER), AttrSpec.of("axis", Kind.INTEGER, -1L))
          .rule(Matrices::oneHotType)
          .legalizer(Matrices::oneHotKernel)
          .build();

  private Matrices() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(EYE, EYE_LIKE, TRIL, TRIU, ONE_HOT);
  }

  /** A matrix with 1 on a diagonal; the sizes and the offset of the diagonal are integers. */
  public static Call eye(Expr n, Expr m, Expr k, DType dtype) {
    return Call.of(EYE, List.of(n, m, k), Attrs.of("dtype", dtype));
  }

  /** A matrix with 1 on a diagonal, in the shape and dtype of another. */
  public static Call eyeLike(Expr x, long k) {
    return Call.of(EYE_LIKE, x, PrimValue.of(k));
  }

  /** Matrices with 0 above a diagonal. */
  public static Call tril(Expr x, long k) {
    return Call.of(TRIL, x, PrimValue.of(k));
  }

  /** Matrices with 0 below a diagonal. */
  public static Call triu(Expr x, long k) {
    return Call.of(TRIU, x, PrimValue.of(k));
  }

  /**
   * A new axis with one value at the index and another elsewhere.
   *
   * @param indices integers of any shape
   * @param on a scalar, of which the result has the dtype
   * @param off a scalar of the same dtype
   * @param depth the extent of the new axis
   * @param axis where it is in the result
   */
  public static Call oneHot(Expr indices, Expr on, Expr off, long depth, int axis) {
    return Call.of(ONE_HOT, List.of(indices, on, off), Attrs.of("depth", depth).with("axis", axis));
  }

  private static Type eyeType(OpCall call) {
    Optional<DType> dtype = call.attrs().dtype("dtype");
    Optional<PrimExpr> n = ScalarArgs.integer(call, 0);
    Optional<PrimExpr> m = ScalarArgs.integer(call, 1);
    ScalarArgs.integer(call, 2);
    return n.isPresent() && m.isPresent()
        ? TensorType.of(dtype, Extents.simplify(call, List.of(n.get(), m.get())))
        : TensorType.ofRank(dtype, 2);
  }

  private static Type eyeLikeType(OpCall call) {
    TensorType x = Ranks.require(call, 0, 2);
    ScalarArgs.integer(call, 1);
    TensorType result = x.hasRank() ? x : x.withRank(2);
    return result.withDType(ResultDTypes.given(call, "dtype").or(x::dtype));
  }

  private static Expr eyeKernel(OpCall call, KernelCalls kernels, int offset) {
    return kernels.call(
        "eye",
        List.of(call.arg(offset)),
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                CreationOps.eye(
                    k,
                    "T_eye",
                    in.resultDims(0).get(0),
                    in.resultDims(0).get(1),
                    in.scalar(0),
                    in.resultType(0).dtype().orElseThrow())));
  }

  /** What a kernel computes. */
  private interface Triangle {
    TensorExpr of(KernelBuilder k, String name, TensorExpr x, PrimExpr diagonal);
  }

  private static OpDef triangle(String name, Triangle body) {
    return OpDef.named(name)
        .args("x")
        .optionalArgs("k")
        .rule(
            call -> {
              ScalarArgs.integer(call, 1, 0);
              return Ranks.atLeast(call, 0, 2);
            })
        .legalizer(
            (call, kernels) ->
                kernels.call(
                    name,
                    call,
                    KernelBody.one(
                        (k, in) ->
                            body.of(
                                k,
                                "trilu",
                                in.tensor(0),
                                in.size() > 1 ? in.scalar(1) : IntImm.of(0)))))
        .build();
  }

  private static Type oneHotType(OpCall call) {
    TensorType indices = ElementTypes.integers(call, 0);
    PrimType on = call.scalar(1);
    PrimType off = call.scalar(2);
    if (!on.equals(off)) {
      throw call.typeError(
          "expected one dtype, but on_value is " + on.dtype() + " and off_value is " + off.dtype());
    }
    long depth = call.attrs().integer("depth").orElseThrow();
    if (depth < 0) {
      throw call.error("the depth must not be negative, but is " + depth);
    }
    TensorType result = indices.withDType(Optional.of(on.dtype()));
    if (!indices.hasRank()) {
      return result.withRank(ShapeType.UNKNOWN);
    }
    int axis = axis(call);
    return indices
        .dims()
        .<Type>map(dims -> result.withDims(AxisLists.inserted(dims, axis, IntImm.of(depth))))
        .orElseGet(() -> result.withRank(indices.ndim() + 1));
  }

  private static int axis(OpCall call) {
    long axis = call.attrs().integer("axis").orElseThrow();
    return Axes.normalize(call, axis, call.tensor(0).ndim() + 1);
  }

  private static Expr oneHotKernel(OpCall call, KernelCalls kernels) {
    long depth = call.attrs().integer("depth").orElseThrow();
    return kernels.call(
        "one_hot",
        call,
        KernelBody.one(
            (k, in) ->
                CreationOps.oneHot(
                    k,
                    "T_one_hot",
                    in.tensor(0),
                    in.scalar(1),
                    in.scalar(2),
                    IntImm.of(depth),
                    axis(call))));
  }
}
