package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.Legalizer;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.SpatialLayout;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.PoolAttrs;
import org.relaxvm.tir.op.PoolOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * The largest element, its index, or the mean, of windows over data {@code [n, c, ...]} with one to
 * three spatial axes. Means are of floats, largest elements of numbers.
 *
 * <p>Source: docs/spec/op-set.md, sections 2.8 and 3.5.
 */
public final class Pools {
  private static final List<OpDef> MAX = axes(Pools::maxPool);
  private static final List<OpDef> MAX_INDICES = axes(Pools::maxPoolIndices);
  private static final List<OpDef> AVG = axes(Pools::avgPool);
  private static final List<OpDef> ADAPTIVE_AVG = axes(Pools::adaptiveAvgPool);

  private Pools() {}

  private interface BySpatialAxes {
    OpDef op(int spatial);
  }

  private interface PoolKernel {
    TensorExpr pool(KernelBuilder k, String name, TensorExpr x, PoolAttrs attrs);
  }

  private static List<OpDef> axes(BySpatialAxes ops) {
    return List.of(ops.op(1), ops.op(2), ops.op(3));
  }

  /** All of them. */
  public static List<OpDef> all() {
    return Stream.of(MAX, MAX_INDICES, AVG, ADAPTIVE_AVG).flatMap(List::stream).toList();
  }

  /** Whether a callee is one of the operators for the largest elements of windows. */
  public static boolean isMaxPool(Expr callee) {
    return callee instanceof OpDef op && MAX.contains(op);
  }

  private static OpDef maxPool(int spatial) {
    return OpDef.named("nn.max_pool" + spatial + "d")
        .args("data")
        .with(builder -> attrs(builder, spatial))
        .rule(
            call -> {
              ElementTypes.numbers(call, 0);
              return PoolRule.of(call, spatial).type();
            })
        .legalizer(legalizer("max_pool" + spatial + "d", spatial, PoolOps::maxPool))
        .build();
  }

  private static OpDef maxPoolIndices(int spatial) {
    String name = "max_pool" + spatial + "d_indices";
    return OpDef.named("nn." + name)
        .args("data")
        .with(builder -> attrs(builder, spatial))
        .rule(
            call -> {
              ElementTypes.numbers(call, 0);
              return PoolRule.of(call, spatial).type().withDType(Optional.of(DType.INT64));
            })
        .legalizer(legalizer(name, spatial, PoolOps::maxPoolIndices))
        .build();
  }

  private static OpDef avgPool(int spatial) {
    return OpDef.named("nn.avg_pool" + spatial + "d")
        .args("data")
        .with(builder -> attrs(builder, spatial))
        .rule(
            call -> {
              ElementTypes.floats(call, 0);
              return PoolRule.of(call, spatial).type();
            })
        .legalizer(legalizer("avg_pool" + spatial + "d", spatial, PoolOps::avgPool))
        .build();
  }

  /** Adds the attributes of windows. */
  static OpDef.Builder attrs(OpDef.Builder builder, int spatial) {
    return builder.attrs(
        AttrSpec.of("pool_size", Kind.INTEGERS, List.of(1)),
        AttrSpec.of("strides", Kind.INTEGERS, List.of(1)),
        AttrSpec.of("dilation", Kind.INTEGERS, List.of(1)),
        AttrSpec.of("padding", Kind.INTEGERS, List.of(0)),
        AttrSpec.of("ceil_mode", Kind.BOOL, false),
        AttrSpec.of("count_include_pad", Kind.BOOL, false),
        AttrSpec.of("layout", Kind.TEXT, SpatialLayout.data(spatial)),
        AttrSpec.optional("out_layout", Kind.TEXT));
  }

  private static Legalizer legalizer(String name, int spatial, PoolKernel kernel) {
    return (call, kernels) -> {
      PoolRule rule = PoolRule.of(call, spatial);
      return kernels.call(
          name,
          call,
          KernelBody.one(
              (k, inputs) ->
                  OutLayout.moved(
                      k,
                      name,
                      rule.layout(),
                      rule.out(),
                      inner -> kernel.pool(k, inner, inputs.tensor(0), rule.attrs()))));
    };
  }

  private static OpDef adaptiveAvgPool(int spatial) {
    String name = "adaptive_avg_pool" + spatial + "d";
    return OpDef.named("nn." + name)
        .args("data")
        .attrs(
            AttrSpec.optional("output_size", Kind.INTEGERS),
            AttrSpec.of("layout", Kind.TEXT, SpatialLayout.data(spatial)),
            AttrSpec.optional("out_layout", Kind.TEXT))
        .rule(call -> adaptiveType(call, spatial))
        .legalizer(
            (call, kernels) ->
                kernels.call(
                    name,
                    call,
                    KernelBody.one(
                        (k, inputs) -> {
                          SpatialLayout layout = layout(call, spatial);
                          SpatialLayout out = outLayout(call, spatial);
                          List<PrimExpr> sizes =
                              out.plain(inputs.resultDims(0)).subList(2, 2 + spatial);
                          TensorExpr x = inputs.tensor(0);
                          return OutLayout.moved(
                              k,
                              name,
                              layout,
                              out,
                              inner -> PoolOps.adaptiveAvgPool(k, inner, x, sizes, layout.text()));
                        })))
        .build();
  }

  private static TensorType adaptiveType(OpCall call, int spatial) {
    ElementTypes.floats(call, 0);
    TensorType x = Ranks.require(call, 0, 2 + spatial);
    SpatialLayout layout = layout(call, spatial);
    SpatialLayout out = outLayout(call, spatial);
    Optional<List<Long>> sizes = call.attrs().integers("output_size");
    if (sizes.isPresent()) {
      sizes = Optional.of(WindowAttrs.perAxis(call, "output_size", spatial, 1));
    }
    if (x.dims().isEmpty()) {
      return x.withRank(2 + spatial);
    }
    List<PrimExpr> plain = new ArrayList<>(layout.plain(x.dims().get()));
    for (int axis = 0; axis < sizes.map(List::size).orElse(0); axis++) {
      plain.set(2 + axis, IntImm.of(sizes.orElseThrow().get(axis)));
    }
    return x.withDims(Extents.simplify(call, out.own(plain)));
  }

  private static SpatialLayout layout(OpCall call, int spatial) {
    String plain = SpatialLayout.data(spatial);
    return SpatialLayout.of(call, "layout", plain, plain);
  }

  private static SpatialLayout outLayout(OpCall call, int spatial) {
    return SpatialLayout.of(
        call, "out_layout", layout(call, spatial).text(), SpatialLayout.data(spatial));
  }

  /** The largest element of each window along one spatial axis; padding never wins, NaN does. */
  public static Call maxPool1d(Expr data, PoolOptions options) {
    return call(MAX, 1, data, options);
  }

  /** The largest element of each window along two spatial axes; padding never wins, NaN does. */
  public static Call maxPool2d(Expr data, PoolOptions options) {
    return call(MAX, 2, data, options);
  }

  /** The largest element of each window along three spatial axes; padding never wins, NaN does. */
  public static Call maxPool3d(Expr data, PoolOptions options) {
    return call(MAX, 3, data, options);
  }

  /**
   * The index, int64, of the largest element of each window: its number in the data in the plain
   * layout and row-major order. The first one of equals; -1 of a window that is all padding.
   *
   * @param spatial the number of spatial axes, one to three
   */
  public static Call maxPoolIndices(Expr data, int spatial, PoolOptions options) {
    return call(MAX_INDICES, spatial, data, options);
  }

  /**
   * The largest element of each window; padding never wins, NaN does.
   *
   * @param spatial the number of spatial axes, one to three
   */
  public static Call maxPool(Expr data, int spatial, PoolOptions options) {
    return call(MAX, spatial, data, options);
  }

  /**
   * The mean of each window.
   *
   * @param spatial the number of spatial axes, one to three
   */
  public static Call avgPool(Expr data, int spatial, PoolOptions options) {
    return call(AVG, spatial, data, options);
  }

  /** The mean of each window along one spatial axis. */
  public static Call avgPool1d(Expr data, PoolOptions options) {
    return call(AVG, 1, data, options);
  }

  /** The mean of each window along two spatial axes. */
  public static Call avgPool2d(Expr data, PoolOptions options) {
    return call(AVG, 2, data, options);
  }

  /** The mean of each window along three spatial axes. */
  public static Call avgPool3d(Expr data, PoolOptions options) {
    return call(AVG, 3, data, options);
  }

  /**
   * The means of windows that divide the data evenly, in the plain layout.
   *
   * @param size the spatial extents of the result, one to three
   */
  public static Call adaptiveAvgPool(Expr data, List<Long> size) {
    String layout = SpatialLayout.data(size.size());
    return Call.of(
        ADAPTIVE_AVG.get(size.size() - 1),
        List.of(data),
        Attrs.of("output_size", size).with("layout", layout).with("out_layout", layout));
  }

  private static Call call(List<OpDef> ops, int spatial, Expr data, PoolOptions options) {
    String layout = options.layout().orElse(SpatialLayout.data(spatial));
    Attrs attrs =
        Attrs.of("pool_size", WindowAttrs.perAxis(options.window(), spatial))
            .with("strides", WindowAttrs.perAxis(options.strides(), spatial))
            .with("dilation", WindowAttrs.perAxis(options.dilation(), spatial))
            .with("padding", WindowAttrs.padding(options.padding(), spatial))
            .with("ceil_mode", options.ceilMode())
            .with("count_include_pad", options.countIncludePad())
            .with("layout", layout)
            .with("out_layout", layout);
    return Call.of(ops.get(spatial - 1), List.of(data), attrs);
  }
}
