package org.relaxvm.compiler.op.lowbit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.op.FloatCode;
import org.relaxvm.tir.op.FloatCodeOps;
import org.relaxvm.tir.op.FloatCodeOps.Rounding;

/** Floating-point numbers of at most 8 bits that kernels do not compute with, as codes in uint8. */
public final class FloatCodes {
  /**
   * The codes of float32 numbers in a format, as uint8: rounded to the nearest, halves to the even
   * code; powers of two {@code up}, {@code down} or to the {@code nearest}.
   */
  public static final OpDef ENCODE_FLOAT =
      OpDef.named("encode_float")
          .args("x")
          .attrs(
              AttrSpec.required("format", Kind.DTYPE),
              AttrSpec.of("saturate", Kind.BOOL, true),
              AttrSpec.of("rounding", Kind.TEXT, "up"))
          .rule(FloatCodes::type)
          .legalizer(FloatCodes::legalize)
          .build();

  private FloatCodes() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(ENCODE_FLOAT);
  }

  /**
   * The codes of numbers.
   *
   * @param x float32
   * @param format a dtype that {@link FloatCode} has
   * @param saturates whether what is too large becomes the largest number, or NaN
   * @param rounding of powers of two
   */
  public static Call encode(Expr x, DType format, boolean saturates, Rounding rounding) {
    return Call.of(
        ENCODE_FLOAT,
        List.of(x),
        Attrs.of("format", format)
            .with("saturate", saturates)
            .with("rounding", rounding.name().toLowerCase(Locale.ROOT)));
  }

  /** The numbers of all codes of a format, as float32: codes are indices to take from it. */
  public static Constant numbers(FloatCode format) {
    float[] values = new float[format.count()];
    for (int code = 0; code < values.length; code++) {
      values[code] = format.value(code);
    }
    return new Constant(Tensor.of(values, Shape.of(values.length)));
  }

  private static FloatCode format(OpCall call) {
    DType dtype = call.attrs().dtype("format").orElseThrow();
    return FloatCode.of(dtype)
        .orElseThrow(
            () ->
                call.typeError(
                    "format must be float4_e2m1fn, float8_e4m3fnuz, float8_e5m2fnuz or"
                        + " float8_e8m0fnu, but is "
                        + dtype));
  }

  private static Rounding rounding(OpCall call) {
    String text = call.attrs().text("rounding").orElseThrow();
    for (Rounding rounding : Rounding.values()) {
      if (rounding.name().toLowerCase(Locale.ROOT).equals(text)) {
        return rounding;
      }
    }
    throw call.error("rounding must be up, down or nearest, but is " + text);
  }

  private static Type type(OpCall call) {
    format(call);
    rounding(call);
    ElementTypes.require(call, 0, DType.FLOAT32::equals, "a tensor of float32");
    return call.tensor(0).withDType(Optional.of(DType.UINT8));
  }

  private static Expr legalize(OpCall call, KernelCalls kernels) {
    Expr bits =
        kernels.emit(
            Call.of(
                MemoryOps.VIEW,
                call.arg(0),
                Tuple.EMPTY,
                new DataTypeImm(DType.INT32),
                Tuple.EMPTY));
    boolean saturates = call.attrs().bool("saturate").orElseThrow();
    return kernels.call(
        "encode_float",
        List.of(bits),
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                FloatCodeOps.encode(
                    k, "T_encode", in.tensor(0), format(call), saturates, rounding(call))));
  }
}
