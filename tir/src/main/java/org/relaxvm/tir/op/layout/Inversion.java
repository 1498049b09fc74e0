package org.relaxvm.tir.op.layout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;

/** Which element an index map brings to a position. */
final class Inversion {
  /**
   * Where a part of an index is found again.
   *
   * @param axis of the result
   * @param modulus above which other parts are; null for the last one
   * @param gap whether the part fills less than its room
   */
  private record Found(int axis, Digit digit, @Nullable PrimExpr modulus, boolean gap) {
    PrimExpr value(List<PrimExpr> finalIndex) {
      PrimExpr value = Exprs.floorDiv(finalIndex.get(axis), digit.scale());
      return modulus == null ? value : Exprs.floorMod(value, modulus);
    }
  }

  private final List<PrimExpr> source;
  private final List<PrimExpr> shape = new ArrayList<>();
  private final List<Found> found = new ArrayList<>();

  /**
   * The inversion of a map.
   *
   * @param source the extents of the tensor
   */
  Inversion(IndexMap map, List<PrimExpr> source) {
    this.source = source;
    for (int axis = 0; axis < map.finalIndices().size(); axis++) {
      locate(axis, DigitSum.of(map, source, axis));
    }
  }

  /** The extents of the result: one more than the largest values of all parts together. */
  List<PrimExpr> shape() {
    return shape;
  }

  private void locate(int axis, List<Digit> digits) {
    List<Digit> left = new ArrayList<>(digits);
    PrimExpr end = IntImm.of(1);
    PrimExpr most = IntImm.of(0);
    Digit digit = left.isEmpty() ? null : next(axis, left, end);
    boolean dense = digit == null || Dims.isOne(digit.scale());
    while (digit != null) {
      left.remove(digit);
      end = Dims.simplify(Exprs.mul(digit.scale(), digit.extent()));
      most = Exprs.add(most, Exprs.mul(Exprs.sub(digit.extent(), 1), digit.scale()));
      Digit above = left.isEmpty() ? null : next(axis, left, end);
      boolean gap = above != null && !Dims.same(above.scale(), end);
      found.add(new Found(axis, digit, above == null ? null : modulus(digit, above, gap), gap));
      dense &= !gap;
      digit = above;
    }
    shape.add(dense ? end : Dims.simplify(Exprs.max(Exprs.add(most, IntImm.of(1)), IntImm.of(0))));
  }

  /** The part that begins where those before end, or the next one after a gap. */
  private static Digit next(int axis, List<Digit> digits, PrimExpr end) {
    return digits.stream()
        .filter(digit -> Dims.same(digit.scale(), end))
        .findFirst()
        .or(
            () ->
                digits.stream()
                    .filter(digit -> isAbove(digit.scale(), end))
                    .min(Comparator.comparing(digit -> Dims.known(digit.scale()).orElseThrow())))
        .orElseThrow(
            () ->
                Check.wrong(
                    LayoutOps.OP,
                    "the parts of the position along axis "
                        + axis
                        + " overlap, or it is not known that they do not"));
  }

  private static boolean isAbove(PrimExpr scale, PrimExpr end) {
    return scale instanceof IntImm at && end instanceof IntImm last && at.value() > last.value();
  }

  private static PrimExpr modulus(Digit digit, Digit above, boolean gap) {
    if (!gap) {
      return digit.extent();
    }
    long room = Dims.known(above.scale()).orElseThrow();
    long step = Dims.known(digit.scale()).orElseThrow();
    Check.that(room % step == 0, LayoutOps.OP, "the weight " + room + " is no multiple of " + step);
    return IntImm.of(room / step);
  }

  /** The index of the element at a position; of any element where the position is a hole. */
  List<PrimExpr> index(List<PrimExpr> finalIndex) {
    List<PrimExpr> index = new ArrayList<>();
    for (int axis = 0; axis < source.size(); axis++) {
      PrimExpr sum = IntImm.of(0);
      for (Found part : parts(axis)) {
        sum = Exprs.add(sum, Exprs.mul(part.value(finalIndex), part.digit().below()));
      }
      index.add(sum);
    }
    return index;
  }

  /** What must hold for a position to have an element; nothing where all have. */
  List<PrimExpr> conditions(List<PrimExpr> finalIndex) {
    List<PrimExpr> conditions = new ArrayList<>();
    for (int n = 0; n < found.size(); n++) {
      Found part = found.get(n);
      boolean first = n == 0 || found.get(n - 1).axis() != part.axis();
      if (first && !Dims.isOne(part.digit().scale())) {
        PrimExpr remainder = Exprs.floorMod(finalIndex.get(part.axis()), part.digit().scale());
        conditions.add(Exprs.eq(remainder, IntImm.of(0)));
      }
      if (part.gap()) {
        conditions.add(Exprs.lt(part.value(finalIndex), part.digit().extent()));
      }
    }
    List<PrimExpr> index = index(finalIndex);
    for (int axis = 0; axis < source.size(); axis++) {
      if (mayMissSome(parts(axis), source.get(axis))) {
        conditions.add(Exprs.lt(index.get(axis), source.get(axis)));
      }
    }
    return conditions;
  }

  /** Whether positions have room for larger indices than there are. */
  private static boolean mayMissSome(List<Found> parts, PrimExpr extent) {
    if (!parts.isEmpty() && parts.getLast().digit().top()) {
      return !new Analyzer().isMultipleOf(extent, parts.getLast().digit().below());
    }
    return Dims.known(extent).orElseThrow() != end(parts);
  }

  /** The parts of an index from the lowest on, which together are all of it. */
  private List<Found> parts(int axis) {
    List<Found> parts =
        found.stream()
            .filter(part -> part.digit().axis() == axis)
            .sorted(Comparator.comparing(part -> part.digit().below()))
            .toList();
    for (int n = 0; n < parts.size(); n++) {
      boolean fits =
          parts.get(n).digit().below() == end(parts.subList(0, n))
              && (n + 1 == parts.size() || !parts.get(n).digit().top());
      Check.that(
          fits,
          LayoutOps.OP,
          "the index along axis "
              + axis
              + " cannot be told from a position: parts overlap or miss");
    }
    boolean whole =
        (!parts.isEmpty() && parts.getLast().digit().top())
            || Dims.known(source.get(axis)).orElse(Long.MAX_VALUE) <= end(parts);
    Check.that(
        whole,
        LayoutOps.OP,
        "the index along axis "
            + axis
            + " cannot be told from a position: its upper part is missing");
    return parts;
  }

  /** How many indices parts without the top one tell from each other. */
  private static long end(List<Found> parts) {
    long end = 1;
    for (Found part : parts) {
      end *= Dims.known(part.digit().extent()).orElseThrow();
    }
    return end;
  }
}
