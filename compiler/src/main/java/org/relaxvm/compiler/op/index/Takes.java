package org.relaxvm.compiler.op.index;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.op.IndexingOps;
import org.relaxvm.tir.op.IndexingOps.Mode;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Slices along an axis at indices given by a tensor or a scalar. Source: docs/spec/op-set.md,
 * section 2.5.
 */
public final class Takes {
  /**
   * Slices of a tensor along an axis: the shape of the indices replaces the axis, so that a scalar
   * removes it. Without an axis the tensor has one only. The mode says what becomes of indices out
   * of bounds: {@code fast}: there must be none; {@code wrap}: they count modulo the extent; {@code
   * clip}: they count as the nearest; {@code nan}: they give NaN.
   */
  public static final OpDef TAKE =
      OpDef.named("take")
          .args("x", "indices")
          .attrs(AttrSpec.optional("axis", Kind.INTEGER), AttrSpec.of("mode", Kind.TEXT, "fast"))
          .rule(Takes::type)
          .legalizer(Takes::legalize)
          .build();

  /**
   * The gradient of {@link #TAKE} of a tensor: zeros of the shape of {@code x}, to which each slice
   * of the gradient is added where it was taken from.
   */
  public static final OpDef TAKE_BACKWARD =
      OpDef.named("grad.take_backward")
          .args("output_grad", "x", "indices")
          .attrs(AttrSpec.optional("axis", Kind.INTEGER), AttrSpec.optional("mode", Kind.TEXT))
          .rule(Takes::gradientType)
          .legalizer(
              (call, kernels) -> {
                @Nullable Integer axis = axis(call, 1);
                Mode mode = mode(call);
                return kernels.call(
                    "take_backward",
                    call,
                    KernelBody.one(
                        (k, in) ->
                            IndexingOps.takeGradient(
                                k,
                                "take_backward",
                                in.tensor(0),
                                in.tensor(1),
                                in.tensor(2),
                                axis,
                                mode)));
              })
          .build();

  private Takes() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(TAKE, TAKE_BACKWARD);
  }

  /** Slices along an axis; the indices are integers within bounds: a tensor or a scalar. */
  public static Call take(Expr x, Expr indices, int axis) {
    return take(x, indices, axis, Mode.FAST);
  }

  /** Slices along an axis. */
  public static Call take(Expr x, Expr indices, int axis, Mode mode) {
    return Call.of(TAKE, List.of(x, indices), Attrs.of("axis", axis).with("mode", text(mode)));
  }

  private static String text(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  private static Mode mode(OpCall call) {
    String given = call.attrs().text("mode").orElse(text(Mode.FAST));
    for (Mode mode : Mode.values()) {
      if (text(mode).equals(given)) {
        return mode;
      }
    }
    throw call.error("there is no mode " + given + "; expected fast, wrap, clip or nan");
  }

  private static Type type(OpCall call) {
    boolean isNan = mode(call) == Mode.NAN;
    TensorType x = isNan ? ElementTypes.floats(call, 0) : call.tensor(0);
    Operand indices = Operand.ofNumber(call, 1);
    if (!indices.type().dtype().map(DTypes::isInteger).orElse(true)) {
      throw call.wrong(1, "integers");
    }
    Optional<Long> given = call.attrs().integer("axis");
    if (given.isEmpty() && x.ndim() > 1) {
      throw call.error("an axis must be given, for x has " + x.ndim() + " axes");
    }
    if (given.isEmpty()) {
      Ranks.require(call, 0, 1);
    }
    List<Operand> both = List.of(new Operand("x", x), indices);
    TensorType result =
        TensorType.ofRank(x.dtype(), ShapeType.UNKNOWN).withVDevice(CommonDevice.same(call, both));
    if (!x.hasRank() && given.isPresent()) {
      return result;
    }
    int axis = x.hasRank() ? Axes.normalize(call, given.orElse(0L), x.ndim()) : 0;
    if (x.dims().isPresent() && indices.type().dims().isPresent()) {
      List<PrimExpr> dims = x.dims().get();
      return result.withDims(
          AxisLists.joined(
              dims.subList(0, axis),
              indices.type().dims().get(),
              dims.subList(axis + 1, dims.size())));
    }
    int ndim = x.hasRank() ? x.ndim() : 1;
    return indices.type().hasRank() ? result.withRank(ndim - 1 + indices.type().ndim()) : result;
  }

  private static @Nullable Integer axis(OpCall call, int tensor) {
    int ndim = call.tensor(tensor).ndim();
    return call.attrs()
        .integer("axis")
        .map(given -> Axes.normalize(call, given, ndim))
        .orElse(null);
  }

  private static Type gradientType(OpCall call) {
    mode(call);
    List<Operand> both = Operand.all(call, 0, 1);
    TensorType x = ElementTypes.floats(call, 1);
    ElementTypes.same(call, both);
    TensorType indices = ElementTypes.integers(call, 2);
    Optional<Long> given = call.attrs().integer("axis");
    if (given.isEmpty()) {
      Ranks.require(call, 1, 1);
    }
    if (x.hasRank()) {
      Axes.normalize(call, given.orElse(0L), x.ndim());
      if (indices.hasRank()) {
        Ranks.require(call, 0, x.ndim() - 1 + indices.ndim());
      }
    }
    return x.withVDevice(CommonDevice.same(call, Operand.all(call, 0, 1, 2)));
  }

  private static Expr legalize(OpCall call, KernelCalls kernels) {
    @Nullable Integer axis = axis(call, 0);
    Mode mode = mode(call);
    return kernels.call(
        "take",
        call,
        KernelBody.one(
            (k, in) -> {
              TensorExpr indices =
                  call.type(1) instanceof PrimType
                      ? CreationOps.scalar(k, "index", in.scalar(1))
                      : in.tensor(1);
              return IndexingOps.take(k, "T_take", in.tensor(0), indices, axis, mode);
            }));
  }
}
