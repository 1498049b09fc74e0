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

  /**
   * The boxes {@code [b, n, 4]} that are kept of those that overlap, by their scores {@code [b, c,
   * n]}: int64 {@code [k, 3]}, of each the image, the class and the box. The arguments after them
   * are tensors with one element: how many are kept of each class at most, an integer, the part of
   * their union that two boxes may have in common, and what a score must be above. Boxes are given
   * by two corners, first the vertical coordinate, or with {@code center_point_box} by the center,
   * first the horizontal coordinate, and the sides. Computed on the host, wherever the tensors lie.
   */
  public static final OpDef NON_MAX_SUPPRESSION =
      OpDef.named("image.non_max_suppression")
          .args("boxes", "scores", "max_output", "overlap", "threshold", "center_point_box")
          .dataDependent()
          .withoutArgShapes()
          .rule(
              call -> {
                afterTensors(call, 5);
                return TensorType.ofRank(DType.INT64, 2);
              })
          .packed("relax.run.non_max_suppression")
          .build();

  /**
   * Weights {@code [d / 2 + 1, m]} that sum a spectrum of {@code d} points to {@code m} bands of
   * the mel scale. The arguments are tensors with one element: {@code m}, {@code d}, the sample
   * rate, and the lowest and the highest frequency; a boolean says whether the result is float64,
   * else it is float32. Computed on the host.
   */
  public static final OpDef MEL_WEIGHT_MATRIX =
      OpDef.named("mel_weight_matrix")
          .args("bands", "points", "rate", "lowest", "highest", "double")
          .dataDependent()
          .withoutArgShapes()
          .rule(call -> TensorType.ofRank(afterTensors(call, 5) ? DType.FLOAT64 : DType.FLOAT32, 2))
          .packed("relax.run.mel_weight_matrix")
          .build();

  private DataDependent() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(NONZERO, UNIQUE, NON_MAX_SUPPRESSION, MEL_WEIGHT_MATRIX);
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

  /**
   * The boxes that are kept of those that overlap.
   *
   * @param limits three tensors with one element: the number for each class, the overlap, the score
   */
  public static Call nonMaxSuppression(
      Expr boxes, Expr scores, List<? extends Expr> limits, boolean centerPointBox) {
    List<Expr> args = new ArrayList<>(List.of(boxes, scores));
    args.addAll(limits);
    args.add(PrimValue.of(centerPointBox));
    return Call.of(NON_MAX_SUPPRESSION, args.toArray(Expr[]::new));
  }

  /**
   * Weights of bands of the mel scale.
   *
   * @param numbers five tensors with one element: bands, points, rate, lowest, highest
   */
  public static Call melWeightMatrix(List<? extends Expr> numbers, boolean isDouble) {
    List<Expr> args = new ArrayList<>(numbers);
    args.add(PrimValue.of(isDouble));
    return Call.of(MEL_WEIGHT_MATRIX, args.toArray(Expr[]::new));
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

  /** The boolean that follows some tensors, which must be there. */
  private static boolean afterTensors(OpCall call, int tensors) {
    for (int i = 0; i < tensors; i++) {
      call.tensor(i);
    }
    return booleanAt(call, tensors);
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
