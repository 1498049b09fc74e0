package org.relaxvm.compiler.op.create;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.Legalizer;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.ResultDTypes;
import org.relaxvm.compiler.op.typerule.ScalarArgs;
import org.relaxvm.compiler.op.typerule.ShapeArgs;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.CreationOps;

/** One value everywhere. Source: docs/spec/op-set.md, section 2.3. */
public final class Fills {
  private static final AttrSpec DTYPE = AttrSpec.required("dtype", Kind.DTYPE);
  private static final AttrSpec OPTIONAL_DTYPE = AttrSpec.optional("dtype", Kind.DTYPE);

  /** The element of a tensor without axes in a shape, in its dtype unless another is given. */
  public static final OpDef FULL =
      OpDef.named("full")
          .args("shape", "fill_value")
          .attrs(OPTIONAL_DTYPE)
          .rule(call -> ShapeArgs.tensor(call, 0, dtypeOf(call, Ranks.require(call, 1, 0))))
          .legalizer(Fills::fill)
          .build();

  /** The element of a tensor without axes in the shape of another. */
  public static final OpDef FULL_LIKE =
      OpDef.named("full_like")
          .args("x", "fill_value")
          .attrs(OPTIONAL_DTYPE)
          .rule(call -> call.tensor(0).withDType(dtypeOf(call, Ranks.require(call, 1, 0))))
          .legalizer(Fills::fill)
          .build();

  /** 0 in a shape. */
  public static final OpDef ZEROS = constant("zeros", 0);

  /** 1 in a shape. */
  public static final OpDef ONES = constant("ones", 1);

  /** 0 in the shape of a tensor, in its dtype unless another is given. */
  public static final OpDef ZEROS_LIKE = constantLike("zeros_like", "zeros", 0);

  /** 1 in the shape of a tensor, in its dtype unless another is given. */
  public static final OpDef ONES_LIKE = constantLike("ones_like", "ones", 1);

  private Fills() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(FULL, FULL_LIKE, ZEROS, ONES, ZEROS_LIKE, ONES_LIKE);
  }

  /**
   * A value in a shape.
   *
   * @param value a tensor without axes
   */
  public static Call full(Expr shape, Expr value) {
    return Call.of(FULL, shape, value);
  }

  /** A value in a shape, as a dtype. */
  public static Call full(Expr shape, Expr value, DType dtype) {
    return Call.of(FULL, List.of(shape, value), Attrs.of("dtype", dtype));
  }

  /** A value in the shape of a tensor. */
  public static Call fullLike(Expr x, Expr value) {
    return Call.of(FULL_LIKE, x, value);
  }

  /** A value in the shape of a tensor, as a dtype. */
  public static Call fullLike(Expr x, Expr value, DType dtype) {
    return Call.of(FULL_LIKE, List.of(x, value), Attrs.of("dtype", dtype));
  }

  /** 0 in a shape. */
  public static Call zeros(Expr shape, DType dtype) {
    return Call.of(ZEROS, List.of(shape), Attrs.of("dtype", dtype));
  }

  /** 1 in a shape. */
  public static Call ones(Expr shape, DType dtype) {
    return Call.of(ONES, List.of(shape), Attrs.of("dtype", dtype));
  }

  /** 0 in the shape and dtype of a tensor. */
  public static Call zerosLike(Expr x) {
    return Call.of(ZEROS_LIKE, x);
  }

  /** 1 in the shape and dtype of a tensor. */
  public static Call onesLike(Expr x) {
    return Call.of(ONES_LIKE, x);
  }

  private static OpDef constant(String name, long value) {
    return OpDef.named(name)
        .args("shape")
        .attrs(DTYPE)
        .rule(call -> ShapeArgs.tensor(call, 0, call.attrs().dtype("dtype")))
        .legalizer(constantKernel(name, value))
        .build();
  }

  private static OpDef constantLike(String name, String kernel, long value) {
    return OpDef.named(name)
        .args("x")
        .attrs(OPTIONAL_DTYPE)
        .rule(Fills::like)
        .legalizer(constantKernel(kernel, value))
        .build();
  }

  private static Type like(OpCall call) {
    return call.tensor(0).withDType(dtypeOf(call, call.tensor(0)));
  }

  private static Optional<DType> dtypeOf(OpCall call, TensorType fallback) {
    return ResultDTypes.given(call, "dtype").or(fallback::dtype);
  }

  private static Legalizer constantKernel(String name, long value) {
    return (call, kernels) -> {
      DType dtype = ((TensorType) call.call().type()).dtype().orElseThrow();
      boolean isBool = dtype.equals(DType.BOOL);
      PrimExpr number = isBool ? IntImm.of(value != 0) : Exprs.constant(dtype, value);
      return filled(call, kernels, name, number);
    };
  }

  /** A kernel that gets nothing but what sizes its output. */
  private static Expr filled(OpCall call, KernelCalls kernels, String name, PrimExpr value) {
    return kernels.call(
        name,
        List.of(),
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                CreationOps.full(
                    k, "T_full", in.resultDims(0), value, in.resultType(0).dtype().orElseThrow())));
  }

  private static Expr fill(OpCall call, KernelCalls kernels) {
    Optional<PrimExpr> constant = ScalarArgs.constant(call, 1);
    if (constant.isPresent()) {
      return filled(call, kernels, "full", constant.get());
    }
    return kernels.call(
        "full",
        List.of(call.arg(1)),
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                CreationOps.full(
                    k,
                    "T_full",
                    in.resultDims(0),
                    in.tensor(0),
                    in.resultType(0).dtype().orElseThrow())));
  }
}
