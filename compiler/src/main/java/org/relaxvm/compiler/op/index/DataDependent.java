package org.relaxvm.compiler.op.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.ScalarArgs;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntImm;

/**
 * Operators whose result is as long as the data say. Packed functions compute them. Source:
 * docs/spec/op-set.md, section 2.5.
 */
public final class DataDependent {
  /**
   * The indices of the nonzero elements: int64, a line for each axis. Computed on the host,
   * wherever the tensor lies.
   */
  public static final OpDef NONZERO =
      OpDef.named("nonzero")
          .args("x")
          .dataDependent()
          .withoutArgShapes()
          .rule(
              call -> {
                call.tensor(0);
                return TensorType.ofRank(DType.INT64, 2);
              })
          .packed("relax.run.nonzero")
          .build();

  /**
   * The elements, or with an axis the slices along it, that differ, in order. The arguments after
   * the tensor are booleans: whether the result is sorted, and whether it comes with the index of
   * the first of each, with the index in the result of each element, and with their numbers: int64.
   * With any of these it is a tuple. Computed on the host, wherever the tensor lies.
   */
  public static final OpDef UNIQUE =
      OpDef.named("unique")
          .args("x", "sorted", "return_index", "return_inverse", "return_counts")
          .optionalArgs("axis")
          .dataDependent()
          .withoutArgShapes()
          .rule(DataDependent::unique)
          .packed("relax.run.unique")
          .build();

  private DataDependent() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(NONZERO, UNIQUE);
  }

  /** The indices of the nonzero elements. */
  public static Call nonzero(Expr x) {
    return Call.of(NONZERO, x);
  }

  /** The elements that differ, in order, and what else is asked for. */
  public static Call unique(
      Expr x, boolean returnIndex, boolean returnInverse, boolean returnCounts) {
    return Call.of(
        UNIQUE,
        x,
        PrimValue.of(true),
        PrimValue.of(returnIndex),
        PrimValue.of(returnInverse),
        PrimValue.of(returnCounts));
  }

  /** The slices along an axis that differ, in order, and what else is asked for. */
  public static Call unique(
      Expr x, boolean returnIndex, boolean returnInverse, boolean returnCounts, int axis) {
    List<Expr> args = new ArrayList<>(unique(x, returnIndex, returnInverse, returnCounts).args());
    args.add(PrimValue.of(axis));
    return Call.of(UNIQUE, args.toArray(Expr[]::new));
  }

  private static Type unique(OpCall call) {
    TensorType x = call.tensor(0);
    booleanAt(call, 1);
    boolean slices = call.size() > 5;
    if (slices && ScalarArgs.integer(call, 5).orElse(null) instanceof IntImm axis && x.hasRank()) {
      Axes.normalize(call, axis.value(), x.ndim());
    }
    List<Type> results = new ArrayList<>();
    TensorType values = slices ? x.withRank(x.ndim()) : x.withRank(1);
    results.add(values.withVDevice(Optional.empty()));
    for (int i = 2; i < 5; i++) {
      if (booleanAt(call, i)) {
        results.add(TensorType.ofRank(DType.INT64, 1));
      }
    }
    return results.size() == 1 ? results.getFirst() : new TupleType(results);
  }

  /** A boolean that is known; numbers count as such. */
  private static boolean booleanAt(OpCall call, int index) {
    boolean right = DTypes.isIntegral(call.scalar(index).dtype());
    if (right && call.value(index).orElse(null) instanceof IntImm known) {
      return known.value() != 0;
    }
    throw call.wrong(index, "a constant boolean");
  }
}
