package org.relaxvm.compiler.op.elementwise;

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
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.op.UnaryOps;

/** Elements as another dtype, and within bounds. Source: docs/spec/op-set.md, section 2.1. */
public final class Conversions {
  /**
   * The elements as another dtype: a float to an integer loses its fraction, what is out of range
   * becomes the nearest, NaN becomes 0; an integer keeps its low bits; what is not 0 is true.
   */
  public static final OpDef ASTYPE =
      OpDef.named("astype")
          .args("x")
          .attrs(AttrSpec.required("dtype", Kind.DTYPE))
          .rule(Conversions::converted)
          .legalizer(Conversions::convert)
          .build();

  /** A parameter as another dtype than that of its data: {@link #ASTYPE}, for other passes. */
  public static final OpDef WRAP_PARAM =
      OpDef.named("wrap_param")
          .args("x")
          .attrs(AttrSpec.of("dtype", Kind.DTYPE, DType.FLOAT32))
          .rule(Conversions::converted)
          .legalizer(Conversions::convert)
          .build();

  /** {@code min(max(x, min), max)}; the bounds are scalars and become the dtype of the tensor. */
  public static final OpDef CLIP =
      OpDef.named("clip")
          .args("x", "min", "max")
          .rule(Conversions::clipped)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "tir_clip",
                      call,
                      KernelBody.one(
                          (k, in) -> {
                            DType dtype = in.tensor(0).dtype();
                            return UnaryOps.clip(
                                k,
                                UnaryDef.OUTPUT,
                                in.tensor(0),
                                Exprs.cast(dtype, in.scalar(1)),
                                Exprs.cast(dtype, in.scalar(2)));
                          })))
          .build();

  private Conversions() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(ASTYPE, WRAP_PARAM, CLIP);
  }

  /** The elements as another dtype. */
  public static Call astype(Expr x, DType dtype) {
    return Call.of(ASTYPE, List.of(x), Attrs.of("dtype", dtype));
  }

  /** A parameter as another dtype than that of its data. */
  public static Call wrapParam(Expr x, DType dtype) {
    return Call.of(WRAP_PARAM, List.of(x), Attrs.of("dtype", dtype));
  }

  /**
   * The elements within bounds; NaN stays NaN.
   *
   * @param min a scalar
   * @param max a scalar
   */
  public static Call clip(Expr x, Expr min, Expr max) {
    return Call.of(CLIP, x, min, max);
  }

  private static Type converted(OpCall call) {
    return call.tensor(0).withDType(call.attrs().dtype("dtype"));
  }

  private static Expr convert(OpCall call, KernelCalls kernels) {
    Optional<DType> dtype = call.attrs().dtype("dtype");
    if (call.tensor(0).dtype().equals(dtype)) {
      return call.arg(0);
    }
    return kernels.call(
        "cast",
        call,
        KernelBody.one(
            (k, in) -> UnaryOps.cast(k, UnaryDef.OUTPUT, in.tensor(0), dtype.orElseThrow())));
  }

  private static Type clipped(OpCall call) {
    call.scalar(1);
    call.scalar(2);
    return ElementTypes.numbers(call, 0);
  }
}
