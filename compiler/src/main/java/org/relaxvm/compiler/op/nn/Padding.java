package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.List;
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
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.PadOps;
import org.relaxvm.tir.op.ShapeOps;

/**
 * Elements around tensors, channels moved to spatial positions, and all axes but the first as one.
 * Any dtype.
 *
 * <p>Source: docs/spec/op-set.md, section 2.8.
 */
public final class Padding {
  /** Widths are in pairs, before and after each axis; negative ones cut off, of a constant. */
  public static final OpDef PAD =
      OpDef.named("nn.pad")
          .args("data")
          .attrs(
              AttrSpec.required("pad_width", Kind.INTEGERS),
              AttrSpec.of("pad_value", Kind.REAL, 0.0),
              AttrSpec.of("pad_mode", Kind.TEXT, "constant"))
          .rule(Padding::padType)
          .legalizer(Padding::padKernel)
          .build();

  /** {@code [..., c * r * r, h, w]} as {@code [..., c, h * r, w * r]}. */
  public static final OpDef PIXEL_SHUFFLE =
      OpDef.named("nn.pixel_shuffle")
          .args("data")
          .attrs(AttrSpec.required("upscale_factor", Kind.INTEGER))
          .rule(Padding::shuffleType)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "pixel_shuffle",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              PadOps.pixelShuffle(
                                  k, "pixel_shuffle", inputs.tensor(0), factor(call)))))
          .build();

  /** {@code [n, ...]} as {@code [n, m]}. */
  public static final OpDef BATCH_FLATTEN =
      OpDef.named("nn.batch_flatten")
          .args("data")
          .rule(Padding::flatType)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "batch_flatten",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              ShapeOps.batchFlatten(k, "batch_flatten", inputs.tensor(0)))))
          .build();

  private enum Mode {
    CONSTANT,
    REFLECT,
    REPLICATE,
    CIRCULAR
  }

  private Padding() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(PAD, PIXEL_SHUFFLE, BATCH_FLATTEN);
  }

  private static Mode mode(OpCall call) {
    String text = call.attrs().text("pad_mode").orElseThrow();
    return switch (text) {
      case "constant" -> Mode.CONSTANT;
      case "reflect" -> Mode.REFLECT;
      case "replicate", "edge" -> Mode.REPLICATE;
      case "circular" -> Mode.CIRCULAR;
      default ->
          throw call.error(
              "pad_mode must be \"constant\", \"reflect\", \"replicate\" or \"circular\", but is \""
                  + text
                  + "\"");
    };
  }

  private static List<Long> widths(OpCall call) {
    return call.attrs().integers("pad_width").orElseThrow();
  }

  private static Type padType(OpCall call) {
    TensorType x = call.tensor(0);
    List<Long> widths = widths(call);
    Mode mode = mode(call);
    if (mode != Mode.CONSTANT && widths.stream().anyMatch(width -> width < 0)) {
      throw call.error(
          "pad_width must be at least 0 unless a constant is padded, but is " + widths);
    }
    if (widths.size() % 2 != 0 || (x.hasRank() && widths.size() != 2 * x.ndim())) {
      throw call.error(
          "pad_width must be two numbers for each "
              + (x.hasRank() ? "of " + Count.axes(x.ndim()) : "axis")
              + ", but is "
              + widths);
    }
    if (x.dims().isEmpty()) {
      return x.withRank(widths.size() / 2);
    }
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = 0; axis < x.ndim(); axis++) {
      PrimExpr extent = x.dims().get().get(axis);
      long before = widths.get(2 * axis);
      long after = widths.get(2 * axis + 1);
      checkSource(call, mode, extent, axis, Math.max(before, after));
      PrimExpr padded = Exprs.add(extent, before + after);
      dims.add(before + after < 0 ? Exprs.max(padded, IntImm.of(0)) : padded);
    }
    return x.withDims(Extents.simplify(call, dims));
  }

  /** Mirrors and other ends are no wider than what they are of; nothing has no edge. */
  private static void checkSource(OpCall call, Mode mode, PrimExpr extent, int axis, long width) {
    if (width == 0 || !(extent instanceof IntImm known)) {
      return;
    }
    long most =
        switch (mode) {
          case CONSTANT -> Long.MAX_VALUE;
          case REFLECT -> Math.max(known.value() - 1, 0);
          case REPLICATE -> known.value() == 0 ? 0 : Long.MAX_VALUE;
          case CIRCULAR -> known.value();
        };
    if (width > most) {
      throw call.error(
          "pad_width of axis "
              + axis
              + " must be at most "
              + most
              + ", for the extent is "
              + known.value()
              + ", but is "
              + width);
    }
  }

  private static Expr padKernel(OpCall call, KernelCalls kernels) {
    List<Long> widths = widths(call);
    FloatImm value = new FloatImm(DType.FLOAT64, call.attrs().real("pad_value").orElseThrow());
    Mode mode = mode(call);
    return kernels.call(
        "pad",
        call,
        KernelBody.one(
            (k, inputs) ->
                switch (mode) {
                  case CONSTANT -> PadOps.constant(k, "pad", inputs.tensor(0), widths, value);
                  case REFLECT ->
                      PadOps.pad(k, "pad", inputs.tensor(0), widths, PadOps.Mode.REFLECT);
                  case REPLICATE ->
                      PadOps.pad(k, "pad", inputs.tensor(0), widths, PadOps.Mode.REPLICATE);
                  case CIRCULAR ->
                      PadOps.pad(k, "pad", inputs.tensor(0), widths, PadOps.Mode.CIRCULAR);
                }));
  }

  private static long factor(OpCall call) {
    long factor = call.attrs().integer("upscale_factor").orElseThrow();
    if (factor < 1 || factor > Short.MAX_VALUE) {
      throw call.error("upscale_factor must be from 1 to 32767, but is " + factor);
    }
    return factor;
  }

  private static Type shuffleType(OpCall call) {
    TensorType x = Ranks.atLeast(call, 0, 3);
    long factor = factor(call);
    if (x.dims().isEmpty()) {
      return x.withRank(x.ndim());
    }
    List<PrimExpr> dims = new ArrayList<>(x.dims().get());
    int channel = dims.size() - 3;
    if (dims.get(channel) instanceof IntImm known && known.value() % (factor * factor) != 0) {
      throw call.error(
          "the "
              + known.value()
              + " channels cannot be divided by "
              + factor * factor
              + ", the square of upscale_factor");
    }
    dims.set(channel, Exprs.floorDiv(dims.get(channel), factor * factor));
    dims.set(channel + 1, Exprs.mul(dims.get(channel + 1), factor));
    dims.set(channel + 2, Exprs.mul(dims.get(channel + 2), factor));
    return x.withDims(Extents.simplify(call, dims));
  }

  private static Type flatType(OpCall call) {
    TensorType x = Ranks.atLeast(call, 0, 1);
    if (x.dims().isEmpty()) {
      return x.withRank(2);
    }
    List<PrimExpr> dims = x.dims().get();
    return x.withDims(
        List.of(dims.getFirst(), Extents.product(call, dims.subList(1, dims.size()))));
  }

  /**
   * A value around a tensor.
   *
   * @param widths before and after the first axis, then the second, and so on
   */
  public static Call pad(Expr data, List<Long> widths, double value) {
    return Call.of(
        PAD,
        List.of(data),
        Attrs.of("pad_width", widths).with("pad_value", value).with("pad_mode", "constant"));
  }

  /**
   * The tensor itself around it.
   *
   * @param mode {@code reflect}, {@code replicate} or {@code circular}
   */
  public static Call pad(Expr data, List<Long> widths, String mode) {
    return Call.of(
        PAD,
        List.of(data),
        Attrs.of("pad_width", widths).with("pad_value", 0.0).with("pad_mode", mode));
  }

  /** Channels moved to spatial positions. */
  public static Call pixelShuffle(Expr data, int factor) {
    return Call.of(PIXEL_SHUFFLE, List.of(data), Attrs.of("upscale_factor", factor));
  }

  /** All axes but the first as one. */
  public static Call batchFlatten(Expr data) {
    return Call.of(BATCH_FLATTEN, data);
  }
}
