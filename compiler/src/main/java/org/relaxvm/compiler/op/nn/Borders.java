package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.ScalarArgs;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.PadOps;

/** Elements around tensors by widths that may depend on symbols. Any dtype. */
public final class Borders {
  /**
   * A tensor with widths before and after each axis: tuples of integers, of which negative ones cut
   * off. The mode is {@code constant}, which needs a value, a tensor without axes, or {@code
   * reflect}, {@code replicate} or {@code circular}; these go on again and again where a width is
   * larger than the tensor.
   */
  public static final OpDef PAD_BY =
      OpDef.named("nn.pad_by")
          .args("data", "before", "after")
          .optionalArgs("value")
          .attrs(AttrSpec.of("mode", Kind.TEXT, "constant"))
          .rule(Borders::type)
          .legalizer(Borders::legalize)
          .build();

  private Borders() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(PAD_BY);
  }

  /**
   * A value around a tensor.
   *
   * @param before a width for each axis; negative ones cut off
   * @param after likewise
   * @param value a tensor without axes, of the dtype of the data
   */
  public static Call pad(
      Expr data, List<? extends PrimExpr> before, List<? extends PrimExpr> after, Expr value) {
    return Call.of(PAD_BY, List.of(data, tuple(before), tuple(after), value), Attrs.NONE);
  }

  /**
   * The tensor itself around it.
   *
   * @param mode {@code reflect}, {@code replicate} or {@code circular}
   */
  public static Call pad(
      Expr data, List<? extends PrimExpr> before, List<? extends PrimExpr> after, String mode) {
    return Call.of(PAD_BY, List.of(data, tuple(before), tuple(after)), Attrs.of("mode", mode));
  }

  private static Tuple tuple(List<? extends PrimExpr> values) {
    return new Tuple(values.stream().<Expr>map(PrimValue::new).toList());
  }

  /** What is around the tensor; empty for a value. */
  private static Optional<PadOps.Mode> mode(OpCall call) {
    String text = call.attrs().text("mode").orElseThrow();
    return switch (text) {
      case "constant" -> Optional.empty();
      case "reflect" -> Optional.of(PadOps.Mode.REFLECT);
      case "replicate" -> Optional.of(PadOps.Mode.REPLICATE);
      case "circular" -> Optional.of(PadOps.Mode.CIRCULAR);
      default ->
          throw call.error(
              "mode must be \"constant\", \"reflect\", \"replicate\" or \"circular\", but is \""
                  + text
                  + "\"");
    };
  }

  private static Type type(OpCall call) {
    TensorType x = call.tensor(0);
    boolean hasValue = call.size() > 3;
    if (mode(call).isPresent() == hasValue) {
      throw call.error("a value is needed with mode \"constant\", and with no other mode");
    }
    TensorType result = x;
    if (hasValue) {
      Ranks.require(call, 3, 0);
      List<Operand> both = Operand.all(call, 0, 3);
      result =
          x.withDType(ElementTypes.same(call, both)).withVDevice(CommonDevice.same(call, both));
    }
    Optional<List<PrimExpr>> before = widths(call, 1, x);
    Optional<List<PrimExpr>> after = widths(call, 2, x);
    if (x.dims().isEmpty() || before.isEmpty() || after.isEmpty()) {
      return result.withRank(x.ndim());
    }
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = 0; axis < x.ndim(); axis++) {
      dims.add(
          PadOps.paddedExtent(
              x.dims().get().get(axis), before.get().get(axis), after.get().get(axis)));
    }
    return result.withDims(Extents.simplify(call, dims));
  }

  private static Optional<List<PrimExpr>> widths(OpCall call, int index, TensorType x) {
    Optional<List<PrimExpr>> widths = ScalarArgs.integers(call, index);
    if (widths.isPresent() && x.hasRank() && widths.get().size() != x.ndim()) {
      throw call.error(
          "expected a width "
              + call.op().argName(index)
              + " each of the "
              + x.ndim()
              + " axes, but got "
              + widths.get().size());
    }
    return widths;
  }

  private static Expr legalize(OpCall call, KernelCalls kernels) {
    List<PrimExpr> before = ScalarArgs.integers(call, 1).orElseThrow();
    List<PrimExpr> after = ScalarArgs.integers(call, 2).orElseThrow();
    Optional<PadOps.Mode> mode = mode(call);
    List<Expr> tensors =
        mode.isPresent() ? List.of(call.arg(0)) : List.of(call.arg(0), call.arg(3));
    return kernels.call(
        "pad",
        tensors,
        call.call().type(),
        KernelBody.one(
            (k, in) -> {
              List<PrimExpr> low = before.stream().map(in::of).toList();
              List<PrimExpr> high = after.stream().map(in::of).toList();
              return mode.isPresent()
                  ? PadOps.padBy(k, "T_pad", in.tensor(0), low, high, mode.get())
                  : PadOps.constantBy(k, "T_pad", in.tensor(0), low, high, in.tensor(1));
            }));
  }
}
