package org.relaxvm.compiler.op.image;

import java.util.ArrayList;
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
import org.relaxvm.compiler.op.KernelInputs;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.image.ResampleAttrs;
import org.relaxvm.tir.op.image.ResampleOps;
import org.relaxvm.tir.op.image.ResizeAttrs;

/** Tensors resampled along any axes, as {@code Resize} of ONNX has it. */
public final class Resampling {
  /** The largest number of axes whose taps one kernel combines; others have one kernel each. */
  private static final int COMBINED = 3;

  /**
   * Some axes with other extents. Coordinates are scaled by the attribute {@code scales}, or by the
   * argument {@code scale_values}, floats with one element for each axis; where neither is there,
   * or the argument has no elements, by the quotients of the extents. A crop is given as {@code
   * roi} or {@code roi_values} likewise: all starts, then all ends.
   */
  public static final OpDef RESAMPLE =
      OpDef.named("image.resample")
          .args("data", "size")
          .optionalArgs("scale_values", "roi_values")
          .attrs(
              AttrSpec.required("axes", Kind.INTEGERS),
              AttrSpec.of("method", Kind.TEXT, "nearest_neighbor"),
              AttrSpec.of("coordinate_transformation_mode", Kind.TEXT, "half_pixel"),
              AttrSpec.of("rounding_method", Kind.TEXT, "round_prefer_floor"),
              AttrSpec.of("cubic_alpha", Kind.REAL, -0.75),
              AttrSpec.of("exclude_outside", Kind.BOOL, false),
              AttrSpec.of("antialias", Kind.BOOL, false),
              AttrSpec.of("extrapolation_value", Kind.REAL, 0.0),
              AttrSpec.optional("scales", Kind.REALS),
              AttrSpec.optional("roi", Kind.REALS))
          .rule(Resampling::type)
          .legalizer(Resampling::legalize)
          .build();

  private static final int SCALES = 2;
  private static final int ROI = 3;

  private Resampling() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(RESAMPLE);
  }

  /**
   * What is given for coordinates besides the size; what is absent is empty.
   *
   * @param constantScales one for each axis
   * @param constantCrop all starts, then all ends
   * @param scales floats, one for each axis, computed at run time; not where there are constant
   *     ones
   * @param crop floats, all starts, then all ends, computed at run time
   */
  public record Given(
      Optional<List<Double>> constantScales,
      Optional<List<Double>> constantCrop,
      Optional<Expr> scales,
      Optional<Expr> crop) {
    /** Coordinates are scaled by the quotients of the extents. */
    public static final Given NOTHING =
        new Given(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * A tensor with other extents along some axes.
   *
   * @param size a shape with an extent for each axis
   * @param noScales an empty tensor of floats, for a crop without scales that are computed
   */
  public static Call resample(
      Expr data, List<Integer> axes, Expr size, ResampleAttrs options, Given given, Expr noScales) {
    List<Expr> args = new ArrayList<>(List.of(data, size));
    if (given.scales().isPresent() || given.crop().isPresent()) {
      args.add(given.scales().orElse(noScales));
    }
    given.crop().ifPresent(args::add);
    Attrs attrs =
        Attrs.of("axes", axes)
            .with("method", Choices.text(options.method()))
            .with("coordinate_transformation_mode", Choices.text(options.coordinates()))
            .with("rounding_method", Choices.text(options.rounding()))
            .with("cubic_alpha", options.cubicAlpha())
            .with("exclude_outside", options.excludesOutside())
            .with("antialias", options.antialias())
            .with("extrapolation_value", options.extrapolation());
    if (given.constantScales().isPresent()) {
      attrs = attrs.with("scales", given.constantScales().get());
    }
    if (given.constantCrop().isPresent()) {
      attrs = attrs.with("roi", given.constantCrop().get());
    }
    return Call.of(RESAMPLE, args, attrs);
  }

  private static ResampleAttrs options(OpCall call) {
    return new ResampleAttrs(
        Choices.of(call, "method", ResizeAttrs.Method.values()),
        Choices.of(call, "coordinate_transformation_mode", ResizeAttrs.Coordinates.values()),
        Choices.of(call, "rounding_method", ResizeAttrs.Rounding.values()),
        call.attrs().real("cubic_alpha").orElseThrow(),
        call.attrs().bool("exclude_outside").orElseThrow(),
        call.attrs().bool("antialias").orElseThrow(),
        call.attrs().real("extrapolation_value").orElseThrow());
  }

  private static List<Integer> axes(OpCall call, int ndim) {
    return Axes.normalize(call, call.attrs().integers("axes").orElseThrow(), ndim);
  }

  private static Type type(OpCall call) {
    ResampleAttrs options = options(call);
    TensorType x =
        options.method() == ResizeAttrs.Method.NEAREST_NEIGHBOR
            ? call.tensor(0)
            : ElementTypes.numbers(call, 0);
    int count = call.attrs().integers("axes").orElseThrow().size();
    ShapeType size = call.shape(1);
    if (size.ndim() != ShapeType.UNKNOWN && size.ndim() != count) {
      throw call.wrong(1, "a shape of " + count + " extents, one for each of axes");
    }
    requireCount(call, "scales", SCALES, count);
    requireCount(call, "roi", ROI, 2 * count);
    boolean crops = options.coordinates() == ResizeAttrs.Coordinates.TF_CROP_AND_RESIZE;
    if (crops && call.size() <= ROI && call.attrs().reals("roi").isEmpty()) {
      throw call.error("tf_crop_and_resize needs a roi: all starts, then all ends");
    }
    List<Operand> tensors = new ArrayList<>(List.of(Operand.of(call, 0)));
    for (int i = SCALES; i < call.size(); i++) {
      tensors.add(Operand.of(call, i));
    }
    TensorType result = x.withVDevice(CommonDevice.same(call, tensors));
    if (!x.hasRank()) {
      return result.withRank(ShapeType.UNKNOWN);
    }
    List<Integer> axes = axes(call, x.ndim());
    Optional<List<PrimExpr>> sizes = call.dims(1);
    if (x.dims().isEmpty() || sizes.isEmpty()) {
      return result.withRank(x.ndim());
    }
    List<PrimExpr> dims = x.dims().get();
    for (int i = 0; i < count; i++) {
      dims = AxisLists.with(dims, axes.get(i), sizes.get().get(i));
    }
    return result.withDims(Extents.simplify(call, dims));
  }

  private static void requireCount(OpCall call, String name, int index, int count) {
    Optional<List<Double>> constants = call.attrs().reals(name);
    if (constants.isPresent() && constants.get().size() != count) {
      throw call.error(
          name + " must be " + count + " numbers for the axes, but is " + constants.get());
    }
    if (call.size() > index) {
      ElementTypes.floats(call, index);
      TensorType given = Ranks.require(call, index, 1);
      Optional<PrimExpr> length = given.dims().map(List::getFirst);
      boolean isNone = length.filter(n -> Extents.isConstant(n, 0)).isPresent();
      if (length.isPresent() && !isNone) {
        Extents.requireSame(call, length.get(), IntImm.of(count), name + " and its numbers");
      }
    }
  }

  private static Expr legalize(OpCall call, KernelCalls kernels) {
    ResampleAttrs options = options(call);
    TensorType x = call.tensor(0);
    List<Integer> axes = axes(call, x.ndim());
    DType dtype = x.dtype().orElseThrow();
    if (!options.widens() && axes.size() <= COMBINED) {
      return kernels.call(
          "resample",
          call,
          KernelBody.one(
              (k, in) -> {
                List<ResampleOps.Axis> all = new ArrayList<>();
                for (int i = 0; i < axes.size(); i++) {
                  all.add(axis(call, in, axes, i));
                }
                return ResampleOps.resample(k, "T_resample", in.tensor(0), all, options, dtype);
              }));
    }
    return oneByOne(call, kernels, axes, options, dtype);
  }

  private static Expr oneByOne(
      OpCall call, KernelCalls kernels, List<Integer> axes, ResampleAttrs options, DType dtype) {
    boolean moves = options.method() == ResizeAttrs.Method.NEAREST_NEIGHBOR;
    DType between = moves ? dtype : ResampleOps.real(dtype);
    List<PrimExpr> sizes = call.dims(1).orElseThrow();
    Expr value = call.arg(0);
    TensorType type = call.tensor(0);
    for (int n = 0; n < axes.size(); n++) {
      int i = n;
      DType out = n == axes.size() - 1 ? dtype : between;
      List<PrimExpr> dims = type.dims().orElseThrow();
      type =
          type.withDType(Optional.of(out))
              .withDims(AxisLists.with(dims, axes.get(n), sizes.get(n)));
      List<Expr> args = new ArrayList<>(call.call().args());
      args.set(0, value);
      Expr step =
          kernels.call(
              "resample",
              args,
              type,
              KernelBody.one(
                  (k, in) -> {
                    ResampleOps.Axis axis = axis(call, in, axes, i);
                    return options.widens()
                        ? ResampleOps.widened(k, "T_resample", in.tensor(0), axis, options, out)
                        : ResampleOps.resample(
                            k, "T_resample", in.tensor(0), List.of(axis), options, out);
                  }));
      value = n == axes.size() - 1 ? step : kernels.emit(step);
    }
    return value;
  }

  private static ResampleOps.Axis axis(OpCall call, KernelInputs in, List<Integer> axes, int i) {
    PrimExpr zero = new FloatImm(DType.FLOAT32, 0);
    return new ResampleOps.Axis(
        axes.get(i),
        in.shape(1).get(i),
        given(call, in, "scales", SCALES, i).orElse(null),
        given(call, in, "roi", ROI, i).orElse(zero),
        given(call, in, "roi", ROI, axes.size() + i).orElse(zero));
  }

  private static Optional<PrimExpr> given(
      OpCall call, KernelInputs in, String name, int index, int at) {
    Optional<List<Double>> constants = call.attrs().reals(name);
    if (constants.isPresent()) {
      return Optional.of(new FloatImm(DType.FLOAT64, constants.get().get(at)));
    }
    boolean isThere =
        call.size() > index
            && !Extents.isConstant(call.tensor(index).dims().orElseThrow().getFirst(), 0);
    return isThere ? Optional.of(in.tensor(index).at(IntImm.of(at))) : Optional.empty();
  }
}
