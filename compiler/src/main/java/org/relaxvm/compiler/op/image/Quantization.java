package org.relaxvm.compiler.op.image;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.QuantizeOps;

/**
 * Floats as small integers and back. Scale and zero point have no axes, or one: that of an axis of
 * the data.
 *
 * <p>Source: docs/spec/op-set.md, section 2.9.
 */
public final class Quantization {
  /** {@code clamp(round(x / scale) + zero point)}: {@code (data, scale, zero_point)}. */
  public static final OpDef QUANTIZE =
      OpDef.named("quantize")
          .args("data", "scale", "zero_point")
          .attrs(
              AttrSpec.of("out_dtype", Kind.DTYPE, DType.INT8),
              AttrSpec.of("axis", Kind.INTEGER, -1))
          .rule(Quantization::quantizeType)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "quantize",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              QuantizeOps.quantize(
                                  k,
                                  "quantize",
                                  inputs.tensor(0),
                                  inputs.tensor(1),
                                  inputs.tensor(2),
                                  axis(call),
                                  outDType(call)))))
          .build();

  /** {@code (x - zero point) * scale}: {@code (data, scale, zero_point)}. */
  public static final OpDef DEQUANTIZE =
      OpDef.named("dequantize")
          .args("data", "scale", "zero_point")
          .attrs(
              AttrSpec.of("out_dtype", Kind.DTYPE, DType.FLOAT32),
              AttrSpec.of("axis", Kind.INTEGER, -1))
          .rule(Quantization::dequantizeType)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "dequantize",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              QuantizeOps.dequantize(
                                  k,
                                  "dequantize",
                                  inputs.tensor(0),
                                  inputs.tensor(1),
                                  inputs.tensor(2),
                                  axis(call),
                                  outDType(call)))))
          .build();

  private Quantization() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(QUANTIZE, DEQUANTIZE);
  }

  private static int axis(OpCall call) {
    return call.attrs().integer("axis").orElseThrow().intValue();
  }

  private static DType outDType(OpCall call) {
    return call.attrs().dtype("out_dtype").orElseThrow();
  }

  private static Type quantizeType(OpCall call) {
    ElementTypes.floats(call, 0);
    ElementTypes.floats(call, 1);
    ElementTypes.numbers(call, 2);
    ElementTypes.same(call, Operand.all(call, 0, 1));
    DType dtype = outDType(call);
    if (!DTypes.isInteger(dtype) || dtype.bits() > 32) {
      throw call.typeError("out_dtype must be integers of at most 32 bits, but is " + dtype);
    }
    return shaped(call, dtype);
  }

  private static Type dequantizeType(OpCall call) {
    ElementTypes.numbers(call, 0);
    ElementTypes.floats(call, 1);
    ElementTypes.numbers(call, 2);
    DType dtype = outDType(call);
    if (!ElementTypes.isFloat(dtype)) {
      throw call.typeError("out_dtype must be floats, but is " + dtype);
    }
    return shaped(call, dtype);
  }

  private static TensorType shaped(OpCall call, DType dtype) {
    TensorType x = call.tensor(0);
    for (int index = 1; index < 3; index++) {
      TensorType parameter = call.tensor(index);
      if (parameter.hasRank() && parameter.ndim() > 1) {
        throw call.wrong(index, "a tensor without axes, or with 1 axis");
      }
      if (parameter.ndim() == 1 && x.hasRank()) {
        requireExtent(call, index, x.dims(), parameter.dims());
      }
    }
    return x.withDType(Optional.of(dtype))
        .withVDevice(CommonDevice.same(call, Operand.all(call, 0, 1, 2)));
  }

  private static void requireExtent(
      OpCall call, int index, Optional<List<PrimExpr>> x, Optional<List<PrimExpr>> parameter) {
    int axis = Axes.normalize(call, axis(call), call.tensor(0).ndim());
    if (x.isPresent() && parameter.isPresent()) {
      Extents.requireSame(
          call,
          x.get().get(axis),
          parameter.get().getFirst(),
          "axis " + axis + " of data and " + call.op().argName(index));
    }
  }

  /**
   * Floats as integers.
   *
   * @param axis of the data that scale and zero point have, if they have one
   * @param outDType integers of at most 32 bits
   */
  public static Call quantize(Expr data, Expr scale, Expr zeroPoint, int axis, DType outDType) {
    return Call.of(
        QUANTIZE,
        List.of(data, scale, zeroPoint),
        Attrs.of("out_dtype", outDType).with("axis", axis));
  }

  /**
   * Integers as floats.
   *
   * @param axis of the data that scale and zero point have, if they have one
   * @param outDType floats
   */
  public static Call dequantize(Expr data, Expr scale, Expr zeroPoint, int axis, DType outDType) {
    return Call.of(
        DEQUANTIZE,
        List.of(data, scale, zeroPoint),
        Attrs.of("out_dtype", outDType).with("axis", axis));
  }
}
