package org.relaxvm.compiler.op.nn;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Rules of normalizations: argument 0 is what is normalized, the others have its dtype and the
 * extents of some of its axes. Source: docs/spec/op-set.md, section 2.8.
 */
final class NormRule {
  private NormRule() {}

  private static TensorType type(OpCall call, int count, Optional<List<Integer>> axes) {
    TensorType x = ElementTypes.floats(call, 0);
    List<Operand> operands = Operand.all(call, IntStream.range(0, call.size()).toArray());
    for (int index = 1; index < call.size(); index++) {
      ElementTypes.floats(call, index);
      Optional<List<PrimExpr>> own = Ranks.require(call, index, count).dims();
      if (axes.isPresent() && x.dims().isPresent() && own.isPresent()) {
        requireExtents(call, index, axes.get(), x.dims().get(), own.get());
      }
    }
    return x.withDType(ElementTypes.same(call, operands))
        .withVDevice(CommonDevice.same(call, operands));
  }

  private static void requireExtents(
      OpCall call, int index, List<Integer> axes, List<PrimExpr> data, List<PrimExpr> parameter) {
    for (int n = 0; n < axes.size(); n++) {
      String what = "axis " + axes.get(n) + " of data and " + call.op().argName(index);
      Extents.requireSame(call, data.get(axes.get(n)), parameter.get(n), what);
    }
  }

  /**
   * The axes that an attribute says, counted from the start; empty where the number of axes of the
   * data is not known.
   */
  static Optional<List<Integer>> axes(OpCall call, String attr) {
    List<Long> given = call.attrs().integers(attr).orElseThrow();
    TensorType x = call.tensor(0);
    return x.hasRank() ? Optional.of(Axes.normalize(call, given, x.ndim())) : Optional.empty();
  }

  /** The type where the parameters have the extents of {@code axes}. */
  static TensorType overAxes(OpCall call) {
    int count = call.attrs().integers("axes").orElseThrow().size();
    return type(call, count, axes(call, "axes"));
  }

  /** The type where the parameters have the extent of one axis. */
  static TensorType perChannel(OpCall call, String attr) {
    return type(call, 1, axes(call, attr));
  }

  /** The same where statistics are along {@code axes}, which lack the channels. */
  static TensorType alongAxes(OpCall call) {
    Optional<List<Integer>> channel = axes(call, "channel_axis");
    List<Integer> axes = axes(call, "axes").orElse(List.of());
    if (channel.isPresent() && axes.contains(channel.get().getFirst())) {
      throw call.error(
          "axes must not have the axis "
              + channel.get().getFirst()
              + " of channels, but are "
              + call.attrs().integers("axes").orElseThrow());
    }
    return perChannel(call, "channel_axis");
  }

  /** The same of channels in groups. */
  static TensorType inGroups(OpCall call) {
    long groups = call.attrs().integer("num_groups").orElseThrow();
    if (groups < 1 || groups > Integer.MAX_VALUE) {
      throw call.error("num_groups must be from 1 to 2147483647, but is " + groups);
    }
    TensorType type = alongAxes(call);
    if (type.dims().isPresent()) {
      int channel = axes(call, "channel_axis").orElseThrow().getFirst();
      if (type.dims().get().get(channel) instanceof IntImm channels
          && channels.value() % groups != 0) {
        throw call.error(
            "the " + channels.value() + " channels cannot be divided into " + groups + " groups");
      }
    }
    return type;
  }
}
