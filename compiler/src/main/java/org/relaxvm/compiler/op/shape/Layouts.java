package org.relaxvm.compiler.op.shape;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
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
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.layout.IndexMap;
import org.relaxvm.tir.op.layout.LayoutOps;
import org.relaxvm.tir.te.KernelBuilder;

/** Elements at the positions of an index map. Source: docs/spec/op-set.md, section 2.4. */
public final class Layouts {
  /**
   * The elements at the positions of an index map, which has a position for each and perhaps holes.
   * The map is written as {@link IndexMapAttr} says; holes become {@code pad_value}.
   */
  public static final OpDef LAYOUT_TRANSFORM =
      OpDef.named("layout_transform")
          .args("x")
          .attrs(
              AttrSpec.required("index_map", Kind.ANY), AttrSpec.optional("pad_value", Kind.REAL))
          .rule(Layouts::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "te_layout_transform",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              LayoutOps.layoutTransform(
                                  k, "te_layout_transform", in.tensor(0), map(call), pad(call)))))
          .build();

  private Layouts() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(LAYOUT_TRANSFORM);
  }

  /** The elements at the positions of an index map that leaves no holes. */
  public static Call layoutTransform(Expr x, IndexMap map) {
    return Call.of(LAYOUT_TRANSFORM, List.of(x), Attrs.of("index_map", IndexMapAttr.encode(map)));
  }

  /** The elements at the positions of an index map, and a number where it leaves holes. */
  public static Call layoutTransform(Expr x, IndexMap map, double padValue) {
    return Call.of(
        LAYOUT_TRANSFORM,
        List.of(x),
        Attrs.of("index_map", IndexMapAttr.encode(map)).with("pad_value", padValue));
  }

  private static IndexMap map(OpCall call) {
    if (call.attrs().values().get("index_map") instanceof Map<?, ?> map) {
      return IndexMapAttr.decode(map);
    }
    throw call.typeError("the index_map must be a map with the entries axes and places");
  }

  private static @Nullable PrimExpr pad(OpCall call) {
    return call.attrs()
        .real("pad_value")
        .map(value -> new FloatImm(DType.FLOAT64, value))
        .orElse(null);
  }

  private static Type type(OpCall call) {
    IndexMap map = map(call);
    TensorType x = Ranks.require(call, 0, map.axes().size());
    Optional<List<PrimExpr>> dims = x.dims();
    if (dims.isEmpty()) {
      return x.withRank(map.finalIndices().size());
    }
    // The kernel says the extents; what its elements are does not matter to them.
    KernelBuilder kernel = new KernelBuilder("layout_transform");
    return x.withDims(
        Extents.simplify(
            call,
            LayoutOps.layoutTransform(
                    kernel,
                    "out",
                    kernel.input("x", x.dtype().orElse(DType.FLOAT32), dims.get()),
                    map,
                    pad(call))
                .shape()));
  }
}
