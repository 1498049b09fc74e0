package org.relaxvm.compiler.op.nn;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.PoolAttrs;
import org.relaxvm.tir.op.PoolGradientOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Gradients of poolings over two spatial axes, of which the attributes are. Source:
 * docs/spec/op-set.md, section 2.8.
 */
public final class PoolGradients {
  /** {@code (output_grad, data)}: each window's gradient for the first of its largest elements. */
  public static final OpDef MAX_POOL2D_BACKWARD =
      gradient("max_pool2d_backward", PoolGradientOps::maxPool);

  /** {@code (output_grad, data)}: each window's gradient, shared by its elements. */
  public static final OpDef AVG_POOL2D_BACKWARD =
      gradient("avg_pool2d_backward", PoolGradientOps::avgPool);

  private static final int SPATIAL = 2;

  private PoolGradients() {}

  private interface Kernel {
    TensorExpr gradient(
        KernelBuilder k, String name, TensorExpr gradient, TensorExpr data, PoolAttrs attrs);
  }

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(MAX_POOL2D_BACKWARD, AVG_POOL2D_BACKWARD);
  }

  private static OpDef gradient(String name, Kernel kernel) {
    return OpDef.named("grad." + name)
        .args("output_grad", "data")
        .with(builder -> Pools.attrs(builder, SPATIAL))
        .rule(PoolGradients::type)
        .legalizer(
            (call, kernels) -> {
              PoolAttrs attrs = rule(call).attrs();
              return kernels.call(
                  name,
                  call,
                  KernelBody.one(
                      (k, in) -> kernel.gradient(k, name, in.tensor(0), in.tensor(1), attrs)));
            })
        .build();
  }

  private static PoolRule rule(OpCall call) {
    PoolRule rule = PoolRule.of(call, SPATIAL);
    if (!rule.out().text().equals(rule.layout().text())) {
      throw call.error(
          "out_layout must be the layout "
              + rule.layout().text()
              + ", but is "
              + rule.out().text());
    }
    return rule;
  }

  private static Type type(OpCall call) {
    PoolRule rule = rule(call);
    List<Operand> both = Operand.all(call, 0, 1);
    ElementTypes.floats(call, 1);
    ElementTypes.same(call, both);
    TensorType gradient = Ranks.require(call, 0, 2 + SPATIAL);
    TensorType data = Ranks.require(call, 1, 2 + SPATIAL);
    Optional<List<PrimExpr>> windows = rule.typeOf(1).dims();
    if (windows.isPresent() && gradient.dims().isPresent()) {
      for (int axis = 0; axis < windows.get().size(); axis++) {
        Extents.requireSame(
            call,
            windows.get().get(axis),
            gradient.dims().get().get(axis),
            "axis " + axis + " of the windows and of output_grad");
      }
    }
    return data.withVDevice(CommonDevice.same(call, both));
  }
}
