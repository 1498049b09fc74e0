package org.relaxvm.compiler.op.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.JoinOps;

/** Several tensors of one. Source: docs/spec/op-set.md, section 2.4. */
public final class Splits {
  private static final String INDICES_OR_SECTIONS = "indices_or_sections";

  /**
   * The parts of a tensor along an axis: a number of sections of equal extents, rounded up, of
   * which the last has what is left, or the parts between positions, which are brought into the
   * tensor. One part alone is no tuple.
   */
  public static final OpDef SPLIT =
      OpDef.named("split")
          .args("x")
          .attrs(
              AttrSpec.required(INDICES_OR_SECTIONS, Kind.ANY),
              AttrSpec.of("axis", Kind.INTEGER, 0L))
          .rule(Splits::type)
          .legalizer(Splits::legalize)
          .build();

  private Splits() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(SPLIT);
  }

  /** Sections of equal extents along an axis; one alone is no tuple. */
  public static Call split(Expr x, int sections, int axis) {
    return Call.of(SPLIT, List.of(x), Attrs.of(INDICES_OR_SECTIONS, sections).with("axis", axis));
  }

  /** The parts between positions along an axis: one more than there are positions. */
  public static Call split(Expr x, List<Integer> positions, int axis) {
    return Call.of(SPLIT, List.of(x), Attrs.of(INDICES_OR_SECTIONS, positions).with("axis", axis));
  }

  private static boolean isSections(OpCall call) {
    return call.attrs().values().get(INDICES_OR_SECTIONS) instanceof Long;
  }

  private static List<Long> positions(OpCall call) {
    return call.attrs().integers(INDICES_OR_SECTIONS).orElseThrow();
  }

  private static int count(OpCall call) {
    if (!isSections(call)) {
      return positions(call).size() + 1;
    }
    long sections = positions(call).getFirst();
    if (sections < 1) {
      throw call.error("expected at least 1 section, but got " + sections);
    }
    return Math.toIntExact(sections);
  }

  private static int axis(OpCall call) {
    return Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), call.tensor(0).ndim());
  }

  private static Type type(OpCall call) {
    TensorType x = call.tensor(0);
    int count = count(call);
    int axis = x.hasRank() ? axis(call) : 0;
    if (count == 1) {
      return x;
    }
    if (x.dims().isEmpty()) {
      return new TupleType(
          IntStream.range(0, count).<Type>mapToObj(i -> x.withRank(x.ndim())).toList());
    }
    List<PrimExpr> dims = x.dims().get();
    PrimExpr extent = dims.get(axis);
    List<PrimExpr> lengths = isSections(call) ? sections(call, extent) : parts(call, extent);
    return new TupleType(
        lengths.stream()
            .<Type>map(length -> x.withDims(AxisLists.with(dims, axis, length)))
            .toList());
  }

  private static List<PrimExpr> sections(OpCall call, PrimExpr extent) {
    int count = count(call);
    PrimExpr chunk = call.analyzer().simplify(Exprs.ceilDiv(extent, IntImm.of(count)));
    PrimExpr last = call.analyzer().simplify(Exprs.sub(extent, Exprs.mul(chunk, count - 1)));
    if (last instanceof IntImm known && known.value() < 0) {
      throw call.error(
          "an extent of "
              + ((IntImm) extent).value()
              + " does not have "
              + count
              + " sections of "
              + ((IntImm) chunk).value()
              + "; split it at positions instead");
    }
    List<PrimExpr> lengths = new ArrayList<>();
    for (int part = 0; part < count - 1; part++) {
      lengths.add(chunk);
    }
    lengths.add(last);
    return lengths;
  }

  private static List<PrimExpr> parts(OpCall call, PrimExpr extent) {
    List<PrimExpr> ends = new ArrayList<>();
    ends.add(IntImm.of(0));
    positions(call)
        .forEach(position -> ends.add(Exprs.min(IntImm.of(Math.max(position, 0)), extent)));
    ends.add(extent);
    List<PrimExpr> lengths = new ArrayList<>();
    for (int part = 0; part + 1 < ends.size(); part++) {
      PrimExpr length = Exprs.sub(ends.get(part + 1), ends.get(part));
      lengths.add(call.analyzer().simplify(Exprs.max(length, IntImm.of(0))));
    }
    return lengths;
  }

  private static Expr legalize(OpCall call, KernelCalls kernels) {
    if (count(call) == 1) {
      return call.arg(0);
    }
    return kernels.call(
        "split",
        call,
        (k, in) ->
            isSections(call)
                ? JoinOps.split(k, "T_split", in.tensor(0), count(call), axis(call))
                : JoinOps.split(
                    k,
                    "T_split",
                    in.tensor(0),
                    positions(call).stream().<PrimExpr>map(IntImm::of).toList(),
                    axis(call)));
  }
}
