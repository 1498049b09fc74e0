package org.relaxvm.compiler.op.create;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
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
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.ScalarArgs;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.CreationOps;

/**
 * Tensors with one axis, computed from the place along it. Source: docs/spec/op-set.md, section
 * 2.3.
 */
public final class Ranges {
  private static final AttrSpec DTYPE = AttrSpec.required("dtype", Kind.DTYPE);

  /**
   * {@code start}, {@code start + step} and so on as long as they are below {@code end}, or above
   * it for a negative step, which is a constant. The limits are scalars.
   */
  public static final OpDef ARANGE =
      OpDef.named("arange")
          .args("start", "end", "step")
          .attrs(DTYPE)
          .rule(Ranges::arangeType)
          .legalizer(Ranges::arangeKernel)
          .build();

  /**
   * {@code alpha - beta * cos(2 * pi * i / n)}, with {@code n} the size of the window when it is
   * periodic, else one less.
   */
  public static final OpDef HAMMING_WINDOW =
      OpDef.named("hamming_window")
          .args("window_size", "periodic", "alpha", "beta")
          .attrs(DTYPE)
          .rule(Ranges::windowType)
          .legalizer(Ranges::windowKernel)
          .build();

  private Ranges() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(ARANGE, HAMMING_WINDOW);
  }

  /**
   * Numbers at equal distances.
   *
   * @param start a scalar
   * @param end a scalar, which is not among them
   * @param step a constant scalar that is not 0
   */
  public static Call arange(Expr start, Expr end, Expr step, DType dtype) {
    return Call.of(ARANGE, List.of(start, end, step), Attrs.of("dtype", dtype));
  }

  /**
   * The window of Hamming.
   *
   * @param size an integer
   */
  public static Call hammingWindow(
      Expr size, boolean periodic, double alpha, double beta, DType dtype) {
    return Call.of(
        HAMMING_WINDOW,
        List.of(size, PrimValue.of(periodic), PrimValue.of(alpha), PrimValue.of(beta)),
        Attrs.of("dtype", dtype));
  }

  private static Type arangeType(OpCall call) {
    Optional<DType> dtype = call.attrs().dtype("dtype");
    IntStream.range(0, 3).forEach(call::scalar);
    if (call.value(2).isPresent()) {
      boolean right =
          switch (call.value(2).get()) {
            case IntImm step -> step.value() != 0;
            case FloatImm step -> step.value() != 0 && Double.isFinite(step.value());
            default -> false;
          };
      if (!right) {
        throw call.error(
            "the step must be a constant that is not 0, but is "
                + PrimText.print(call.value(2).get()));
      }
    }
    return limits(call)
        .map(
            limits ->
                TensorType.of(
                    dtype,
                    List.of(
                        call.analyzer()
                            .simplify(
                                CreationOps.arangeLength(
                                    limits.get(0), limits.get(1), limits.get(2))))))
        .orElseGet(() -> TensorType.ofRank(dtype, 1));
  }

  /** Start, end and step as int64, or all as float64 where one is a float. */
  private static Optional<List<PrimExpr>> limits(OpCall call) {
    List<PrimExpr> values =
        IntStream.range(0, 3).boxed().flatMap(i -> call.value(i).stream()).toList();
    boolean ofFloats = values.stream().anyMatch(value -> value.dtype().isFloat());
    return values.size() < 3
        ? Optional.empty()
        : Optional.of(
            values.stream()
                .map(value -> ofFloats ? real(value) : Exprs.cast(DType.INT64, value))
                .toList());
  }

  private static PrimExpr real(PrimExpr value) {
    return switch (value) {
      case IntImm known -> new FloatImm(DType.FLOAT64, known.value());
      case FloatImm known -> new FloatImm(DType.FLOAT64, known.value());
      default -> Exprs.cast(DType.FLOAT64, value);
    };
  }

  private static Expr arangeKernel(OpCall call, KernelCalls kernels) {
    List<PrimExpr> limits = limits(call).orElseThrow();
    return kernels.call(
        "arange",
        List.of(),
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                CreationOps.arange(
                    k,
                    "T_arange",
                    in.of(limits.get(0)),
                    in.of(limits.get(1)),
                    limits.get(2),
                    in.resultType(0).dtype().orElseThrow())));
  }

  private static Type windowType(OpCall call) {
    Optional<DType> dtype = call.attrs().dtype("dtype");
    if (!dtype.map(ElementTypes::isFloat).orElse(true)) {
      throw call.typeError("the dtype must be one of floats, but is " + dtype.get());
    }
    Optional<PrimExpr> size = ScalarArgs.integer(call, 0);
    IntStream.range(1, 4).forEach(call::scalar);
    return size.map(extent -> TensorType.of(dtype, List.of(call.analyzer().simplify(extent))))
        .orElseGet(() -> TensorType.ofRank(dtype, 1));
  }

  private static Expr windowKernel(OpCall call, KernelCalls kernels) {
    Optional<Double> periodic = constant(call, 1);
    Optional<Double> alpha = constant(call, 2);
    Optional<Double> beta = constant(call, 3);
    if (periodic.isEmpty() || alpha.isEmpty() || beta.isEmpty()) {
      return call.call();
    }
    return kernels.call(
        "hamming_window",
        List.of(),
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                CreationOps.hammingWindow(
                    k,
                    "T_hamming_window",
                    in.resultDims(0).getFirst(),
                    periodic.get() != 0,
                    alpha.get(),
                    beta.get(),
                    in.resultType(0).dtype().orElseThrow())));
  }

  private static Optional<Double> constant(OpCall call, int index) {
    return switch (call.value(index).orElse(null)) {
      case IntImm known -> Optional.of((double) known.value());
      case FloatImm known -> Optional.of(known.value());
      case null, default -> Optional.empty();
    };
  }
}
