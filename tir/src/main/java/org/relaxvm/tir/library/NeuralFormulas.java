package org.relaxvm.tir.library;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AttentionOps;
import org.relaxvm.tir.op.NormOps;
import org.relaxvm.tir.op.PoolAttrs;
import org.relaxvm.tir.op.PoolOps;
import org.relaxvm.tir.op.SoftmaxOps;
import org.relaxvm.tir.te.TensorExpr;

/** Pools, softmax, normalizations and attention. */
final class NeuralFormulas {
  private NeuralFormulas() {}

  static void addTo(Map<String, Formula> all) {
    all.put(
        "max_pool2d",
        Formula.of(o -> PoolOps.maxPool(o.kernel(), Operands.OUT, o.tensor("x"), pool(o, false)))
            .knowing(NeuralFormulas::rounded));
    all.put(
        "avg_pool2d",
        Formula.of(
                o ->
                    PoolOps.avgPool(
                        o.kernel(),
                        Operands.OUT,
                        o.tensor("x"),
                        pool(o, o.flag("count_include_pad"))))
            .knowing(NeuralFormulas::rounded));
    all.put(
        "softmax",
        Formula.of(o -> SoftmaxOps.softmax(o.kernel(), Operands.OUT, o.tensor("x"), axis(o))));
    all.put(
        "log_softmax",
        Formula.of(o -> SoftmaxOps.logSoftmax(o.kernel(), Operands.OUT, o.tensor("x"), axis(o))));
    all.put("layer_norm", Formula.of(NeuralFormulas::layerNorm));
    all.put("rms_norm", Formula.of(NeuralFormulas::rmsNorm));
    all.put("group_norm", Formula.of(NeuralFormulas::groupNorm).knowing(NeuralFormulas::channels));
    all.put("batch_norm", Formula.of(NeuralFormulas::batchNorm));
    all.put("attention", Formula.of(NeuralFormulas::attention).knowing(NeuralFormulas::heads));
  }

  private static int axis(Operands o) {
    return axis(o, "axis");
  }

  private static int axis(Operands o, String name) {
    o.requireRank("x", 1);
    return o.axis(name, o.shapeOf("x").rank());
  }

  /** Extents rounded up depend on what is left over. */
  private static List<Long> rounded(LibraryCall call) {
    return Boolean.FALSE.equals(call.attribute("ceil_mode")) ? List.of() : call.extents("x");
  }

  /** Windows of a pool. Those that rounding up adds lie in more padding. */
  private static PoolAttrs pool(Operands o, boolean countIncludePad) {
    Shape x = o.shapeOf("x");
    o.require(x.rank() == 4, "x", "of rank 4", "of rank " + x.rank());
    List<Long> window = o.numbers("pool_size", 2, 1);
    List<Long> strides = o.numbers("strides", 2, 1);
    List<Long> dilation = o.numbers("dilation", 2, 1);
    List<Long> padding = new ArrayList<>(o.numbers("padding", 4, 0));
    for (int axis = 0; axis < 2 && o.flag("ceil_mode"); axis++) {
      long room =
          x.dim(2 + axis)
              + padding.get(axis)
              + padding.get(2 + axis)
              - (window.get(axis) - 1) * dilation.get(axis)
              - 1;
      if (room >= 0) {
        long missing = Math.floorMod(-room, strides.get(axis));
        padding.set(2 + axis, padding.get(2 + axis) + missing);
      }
    }
    return new PoolAttrs(window, strides, padding, dilation, false, countIncludePad, "NCHW");
  }

  private static List<Integer> axes(Operands o) {
    return Objects.requireNonNull(o.axes("axes", o.shapeOf("x").rank()));
  }

  private static TensorExpr layerNorm(Operands o) {
    return NormOps.layerNorm(
        o.kernel(),
        Operands.OUT,
        o.tensor("x"),
        o.optional("gamma"),
        o.optional("beta"),
        axes(o),
        o.real("epsilon"));
  }

  private static TensorExpr rmsNorm(Operands o) {
    return NormOps.rmsNorm(
        o.kernel(), Operands.OUT, o.tensor("x"), o.optional("weight"), axes(o), o.real("epsilon"));
  }

  private static List<Long> channels(LibraryCall call) {
    return call.attribute("channel_axis") instanceof Long axis
            && Math.abs(axis) <= Integer.MAX_VALUE
        ? List.of(call.extent("x", (int) (long) axis))
        : call.extents("x");
  }

  private static TensorExpr groupNorm(Operands o) {
    return NormOps.groupNorm(
        o.kernel(),
        Operands.OUT,
        o.tensor("x"),
        o.optional("gamma"),
        o.optional("beta"),
        o.count("num_groups", 1),
        axis(o, "channel_axis"),
        axes(o),
        o.real("epsilon"));
  }

  private static TensorExpr batchNorm(Operands o) {
    return NormOps.batchNorm(
        o.kernel(),
        Operands.OUT,
        o.tensor("x"),
        o.optional("gamma"),
        o.optional("beta"),
        o.tensor("mean"),
        o.tensor("variance"),
        axis(o),
        o.real("epsilon"));
  }

  private static List<Long> heads(LibraryCall call) {
    return List.of(call.extent("q", 2), call.extent("k", 2), call.extent("q", 3));
  }

  private static TensorExpr attention(Operands o) {
    String mask = o.text("causal_mask");
    AttentionOps.CausalMask causal = null;
    for (AttentionOps.CausalMask each : AttentionOps.CausalMask.values()) {
      if (each.text().equals(mask)) {
        causal = each;
      }
    }
    o.require(
        causal != null, "causal_mask", "'none', 'TopLeft' or 'BottomRight'", "'" + mask + "'");
    return AttentionOps.attention(
        o.kernel(),
        Operands.OUT,
        o.tensor("q"),
        o.tensor("k"),
        o.tensor("v"),
        bias(o),
        o.isNull("scale") ? null : o.real("scale"),
        Objects.requireNonNull(causal));
  }

  /** The bias with four axes, as the operator wants it. */
  private static @Nullable TensorExpr bias(Operands o) {
    TensorExpr bias = o.optional("bias");
    if (bias == null || bias.shape().size() >= 4) {
      return bias;
    }
    int missing = 4 - bias.shape().size();
    List<PrimExpr> shape = new ArrayList<>(Collections.nCopies(missing, IntImm.of(1)));
    shape.addAll(bias.shape());
    return o.kernel().inlined("bias_axes", shape, i -> bias.at(i.subList(missing, 4)));
  }
}
