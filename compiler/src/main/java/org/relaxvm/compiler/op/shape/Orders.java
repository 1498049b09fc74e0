package org.relaxvm.compiler.op.shape;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.op.ShapeOps;

/** Axes and elements in another order. Source: docs/spec/op-set.md, section 2.4. */
public final class Orders {
  /** Axis {@code i} of the result is axis {@code axes[i]}; without axes their order is reversed. */
  public static final OpDef PERMUTE_DIMS =
      OpDef.named("permute_dims")
          .args("x")
          .attrs(AttrSpec.optional("axes", Kind.INTEGERS))
          .rule(Orders::permuted)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "transpose",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              ShapeOps.permuteDims(
                                  k,
                                  "T_transpose",
                                  in.tensor(0),
                                  order(call, in.tensor(0).shape().size())))))
          .build();

  /** The order along an axis reversed. */
  public static final OpDef FLIP =
      OpDef.named("flip")
          .args("x")
          .attrs(AttrSpec.required("axis", Kind.INTEGER))
          .rule(
              call -> {
                if (call.tensor(0).hasRank()) {
                  axis(call, "axis");
                }
                return call.tensor(0);
              })
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "flip",
                      call,
                      KernelBody.one(
                          (k, in) -> ShapeOps.flip(k, "T_flip", in.tensor(0), axis(call, "axis")))))
          .build();

  /** The first elements of each line reversed, as many as a tensor of lengths says. */
  public static final OpDef REVERSE_SEQUENCE =
      OpDef.named("reverse_sequence")
          .args("x", "seq_lengths")
          .attrs(
              AttrSpec.of("seq_axis", Kind.INTEGER, 1L),
              AttrSpec.of("batch_axis", Kind.INTEGER, 0L))
          .rule(Orders::reversed)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "reverse_sequence",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              ShapeOps.reverseSequence(
                                  k,
                                  "T_reverse_sequence",
                                  in.tensor(0),
                                  in.tensor(1),
                                  axis(call, "seq_axis"),
                                  axis(call, "batch_axis")))))
          .build();

  private Orders() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(PERMUTE_DIMS, FLIP, REVERSE_SEQUENCE);
  }

  /** The axes in this order. */
  public static Call permuteDims(Expr x, Integer... axes) {
    return Call.of(PERMUTE_DIMS, List.of(x), Attrs.of("axes", List.of(axes)));
  }

  /** The axes in reverse order. */
  public static Call transpose(Expr x) {
    return Call.of(PERMUTE_DIMS, x);
  }

  /** The order along an axis reversed. */
  public static Call flip(Expr x, int axis) {
    return Call.of(FLIP, List.of(x), Attrs.of("axis", axis));
  }

  /**
   * The first elements of each line reversed.
   *
   * @param lengths integers, one for each position along the axis of batches
   */
  public static Call reverseSequence(Expr x, Expr lengths, int seqAxis, int batchAxis) {
    return Call.of(
        REVERSE_SEQUENCE,
        List.of(x, lengths),
        Attrs.of("seq_axis", seqAxis).with("batch_axis", batchAxis));
  }

  private static int axis(OpCall call, String attr) {
    return Axes.normalize(call, call.attrs().integer(attr).orElseThrow(), call.tensor(0).ndim());
  }

  private static List<Integer> order(OpCall call, int ndim) {
    Optional<List<Long>> axes = call.attrs().integers("axes");
    if (axes.isEmpty()) {
      return IntStream.range(0, ndim).boxed().toList().reversed();
    }
    if (axes.get().size() != ndim) {
      throw call.error("expected an order of " + Count.axes(ndim) + ", but got axes=" + axes.get());
    }
    return Axes.normalize(call, axes.get(), ndim);
  }

  private static Type permuted(OpCall call) {
    TensorType x = call.tensor(0);
    Optional<List<Long>> axes = call.attrs().integers("axes");
    if (!x.hasRank()) {
      return axes.<Type>map(given -> x.withRank(order(call, given.size()).size())).orElse(x);
    }
    List<Integer> order = order(call, x.ndim());
    return x.dims()
        .<Type>map(dims -> x.withDims(order.stream().map(dims::get).toList()))
        .orElseGet(() -> isIdentity(order) ? x : x.withRank(x.ndim()));
  }

  private static boolean isIdentity(List<Integer> order) {
    return order.equals(IntStream.range(0, order.size()).boxed().toList());
  }

  private static Type reversed(OpCall call) {
    TensorType x = Ranks.atLeast(call, 0, 2);
    TensorType lengths = ElementTypes.integers(call, 1);
    Ranks.require(call, 1, 1);
    if (!x.hasRank()) {
      return x;
    }
    int batch = axis(call, "batch_axis");
    if (axis(call, "seq_axis") == batch) {
      throw call.error("seq_axis and batch_axis must be different, but both are " + batch);
    }
    if (x.dims().isPresent() && lengths.dims().isPresent()) {
      Extents.requireSame(
          call,
          x.dims().get().get(batch),
          lengths.dims().get().getFirst(),
          "axis " + batch + " and of seq_lengths");
    }
    return x;
  }
}
