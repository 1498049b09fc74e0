package org.relaxvm.compiler.op.nn;

import java.util.List;
import java.util.Map;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.analysis.OpPattern;
import org.relaxvm.tir.analysis.OpPatterns;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.UnfoldOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Windows as columns of a matrix, so that a convolution is a matrix product. */
public final class Unfold {
  /**
   * The elements under each window of data {@code [n, c, ...]}: {@code [n, c, ...k, ...l]} with the
   * extents of a window and then the numbers of windows. The kernel is never fused: its loops go
   * along rows of the data.
   */
  public static final OpDef UNFOLD =
      OpDef.named("nn.unfold")
          .args("data")
          .attrs(
              AttrSpec.required("kernel_size", Kind.INTEGERS),
              AttrSpec.of("strides", Kind.INTEGERS, List.of(1)),
              AttrSpec.of("dilation", Kind.INTEGERS, List.of(1)))
          .rule(Unfold::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "unfold", call, KernelBody.one((k, in) -> alone(call, k, in.tensor(0)))))
          .build();

  private Unfold() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(UNFOLD);
  }

  /**
   * The elements under each window, as columns.
   *
   * @param kernel extents of a window, one per spatial axis
   * @param strides one for all spatial axes, or one for each
   * @param dilation one for all spatial axes, or one for each
   */
  public static Call unfold(Expr data, List<Long> kernel, List<Long> strides, List<Long> dilation) {
    return Call.of(
        UNFOLD,
        List.of(data),
        Attrs.of("kernel_size", kernel).with("strides", strides).with("dilation", dilation));
  }

  private static TensorExpr alone(OpCall call, KernelBuilder k, TensorExpr data) {
    TensorExpr windows =
        UnfoldOps.unfold(
            k, "T_unfold", data, kernel(call), perAxis(call, "strides"), perAxis(call, "dilation"));
    k.annotate(windows, Map.of(OpPatterns.ATTRIBUTE, (long) OpPattern.OPAQUE.code()));
    return windows;
  }

  private static List<Long> kernel(OpCall call) {
    List<Long> kernel = call.attrs().integers("kernel_size").orElseThrow();
    if (kernel.isEmpty() || kernel.stream().anyMatch(extent -> extent < 1)) {
      throw call.error("kernel_size must be numbers of at least 1, but is " + kernel);
    }
    return kernel;
  }

  private static List<Long> perAxis(OpCall call, String attr) {
    return WindowAttrs.perAxis(call, attr, kernel(call).size(), 1);
  }

  private static Type type(OpCall call) {
    List<Long> kernel = kernel(call);
    List<Long> strides = perAxis(call, "strides");
    List<Long> dilation = perAxis(call, "dilation");
    TensorType x = Ranks.require(call, 0, 2 + kernel.size());
    if (x.dims().isEmpty()) {
      return x.withRank(2 + 2 * kernel.size());
    }
    List<PrimExpr> dims = x.dims().get();
    return x.withDims(
        Extents.simplify(
            call,
            AxisLists.joined(
                dims.subList(0, 2),
                kernel.stream().map(IntImm::of).toList(),
                UnfoldOps.windows(dims, kernel, strides, dilation))));
  }
}
