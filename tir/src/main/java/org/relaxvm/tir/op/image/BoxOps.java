package org.relaxvm.tir.op.image;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.OrderingOps;
import org.relaxvm.tir.op.SoftmaxOps;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.Lines;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Boxes that detectors of objects find. Source: docs/spec/op-set.md, section 2.9. */
public final class BoxOps {
  private BoxOps() {}

  /**
   * How predictions become boxes.
   *
   * @param clip whether coordinates are brought into 0 to 1
   * @param threshold scores below it become 0
   * @param variances what the predictions of x, y, width and height are multiplied by
   * @param keepBackground whether scores of the class 0 stay
   */
  public record Decoding(
      boolean clip, double threshold, List<Double> variances, boolean keepBackground) {
    /** Checks the number of variances. */
    public Decoding {
      variances = List.copyOf(variances);
      Check.count("multibox_transform_loc", "variances", variances, 4);
    }
  }

  /**
   * Boxes and scores from predictions relative to anchors. The center of a box moves by the
   * prediction times the extent of the anchor; its extent is that of the anchor times the
   * exponential function of the prediction.
   *
   * @param classes {@code [b, c, n]}: values that a softmax over the classes makes scores
   * @param locations {@code [b, 4 * n]}: x, y, width and height for each anchor
   * @param anchors {@code [1, n, 4]}: left, top, right and bottom
   * @return boxes {@code [b, n, 4]}: top, left, bottom and right; scores {@code [b, c, n]}, named
   *     {@code name_scores}
   */
  public static List<TensorExpr> decode(
      KernelBuilder k,
      String name,
      TensorExpr classes,
      TensorExpr locations,
      TensorExpr anchors,
      Decoding options) {
    String op = "multibox_transform_loc";
    Check.floats(op, classes);
    Check.sameDType(op, classes, locations);
    Check.sameDType(op, classes, anchors);
    Check.rank(op, classes, 3);
    Check.rank(op, locations, 2);
    Check.rank(op, anchors, 3);
    DType dtype = classes.dtype();
    List<PrimExpr> shape = List.of(classes.shape().get(0), classes.shape().get(2), IntImm.of(4));
    TensorExpr boxes =
        k.compute(
            name,
            shape,
            i -> {
              IntFunction<PrimExpr> edge =
                  number -> edge(locations, anchors, i, number, dtype, options);
              PrimExpr side = i.get(2);
              PrimExpr upper =
                  Exprs.select(Exprs.eq(side, IntImm.of(0)), edge.apply(0), edge.apply(1));
              PrimExpr lower =
                  Exprs.select(Exprs.eq(side, IntImm.of(2)), edge.apply(2), edge.apply(3));
              return Exprs.select(Exprs.lt(side, IntImm.of(2)), upper, lower);
            });
    TensorExpr all = SoftmaxOps.softmax(k, name + "_softmax", classes, 1);
    PrimExpr none = Arith.of(dtype, 0);
    TensorExpr scores =
        k.compute(
            name + "_scores",
            classes.shape(),
            i -> {
              PrimExpr isHigh = Exprs.le(Arith.of(dtype, options.threshold()), all.at(i));
              PrimExpr counts =
                  options.keepBackground()
                      ? isHigh
                      : Exprs.and(isHigh, Exprs.lt(IntImm.of(0), i.get(1)));
              return Exprs.select(counts, all.at(i), none);
            });
    return List.of(boxes, scores);
  }

  /** The top, left, bottom or right edge of a box. */
  private static PrimExpr edge(
      TensorExpr locations,
      TensorExpr anchors,
      List<PrimExpr> i,
      int number,
      DType dtype,
      Decoding options) {
    // Of x and y: along y for top and bottom.
    int axis = number % 2 == 0 ? 1 : 0;
    PrimExpr anchor = i.get(1);
    PrimExpr low = anchors.at(List.of(IntImm.of(0), anchor, IntImm.of(axis)));
    PrimExpr high = anchors.at(List.of(IntImm.of(0), anchor, IntImm.of(axis + 2)));
    PrimExpr extent = Exprs.sub(high, low);
    PrimExpr half = Arith.of(dtype, 0.5);
    PrimExpr center = Exprs.mul(Exprs.add(low, high), half);
    PrimExpr first = Exprs.mul(anchor, 4);
    PrimExpr moved =
        Exprs.mul(
            locations.at(List.of(i.get(0), Exprs.add(first, axis))),
            Arith.of(dtype, options.variances().get(axis)));
    PrimExpr grown =
        Exprs.mul(
            locations.at(List.of(i.get(0), Exprs.add(first, axis + 2))),
            Arith.of(dtype, options.variances().get(axis + 2)));
    PrimExpr middle = Exprs.add(Exprs.mul(moved, extent), center);
    PrimExpr radius = Exprs.mul(Exprs.mul(half, Arith.exp(grown)), extent);
    PrimExpr edge = number < 2 ? Exprs.sub(middle, radius) : Exprs.add(middle, radius);
    return options.clip() ? Arith.clamp(edge, Arith.of(dtype, 0), Arith.of(dtype, 1)) : edge;
  }

  /**
   * Chooses boxes of each class, the highest scores first, without those that overlap a chosen one.
   * The overlap of two boxes is the area that they share, divided by the area of both together.
   *
   * @param boxes {@code [b, n, 4]}: two opposite corners
   * @param scores {@code [b, c, n]}
   * @param limit how many boxes a class has at most: an integer without axes
   * @param overlap from which a box is left out: without axes
   * @param least what a score must be greater than: without axes
   * @return the chosen boxes {@code [b * c * n, 3]}: image, class and box, by image, class and
   *     falling score, then zeros; and their number {@code [1]}, named {@code name_count}; int64
   */
  public static List<TensorExpr> suppress(
      KernelBuilder k,
      String name,
      TensorExpr boxes,
      TensorExpr scores,
      TensorExpr limit,
      TensorExpr overlap,
      TensorExpr least) {
    String op = "all_class_non_max_suppression";
    Check.floats(op, boxes);
    Check.floats(op, scores);
    Check.rank(op, boxes, 3);
    Check.rank(op, scores, 3);
    Check.integers(op, limit);
    Check.floats(op, overlap);
    Check.floats(op, least);
    TensorExpr order = OrderingOps.argsort(k, name + "_order", scores, 2, true, DType.INT64);
    PrimExpr rows = Dims.simplify(Exprs.product(scores.shape()));
    Buffer chosen = Buffer.of(name, DType.INT64, List.of(rows, IntImm.of(3)));
    Buffer count = Buffer.of(name + "_count", DType.INT64, List.of(IntImm.of(1)));
    Buffer keep = Lines.cell("keep", DType.BOOL);
    Suppression suppression =
        new Suppression(boxes, scores, order, limit, overlap, least, chosen, count, keep);
    Stmt body =
        Lines.block(name + "_choice", List.of(), List.of(keep), none -> suppression.statements());
    return k.statements(name, List.of(chosen, count), body);
  }

  private record Suppression(
      TensorExpr boxes,
      TensorExpr scores,
      TensorExpr order,
      TensorExpr limit,
      TensorExpr overlap,
      TensorExpr least,
      Buffer chosen,
      Buffer count,
      Buffer keep) {
    private static final List<PrimExpr> FIRST = List.of(IntImm.of(0));

    Stmt statements() {
      Stmt zeros = Lines.loops("z", chosen.shape(), i -> new BufferStore(chosen, IntImm.of(0), i));
      Stmt choice =
          Lines.loops(
              "c",
              scores.shape().subList(0, 2),
              i -> let("before", count.load(FIRST), before -> ofClass(i, before)));
      return Lines.seq(zeros, new BufferStore(count, IntImm.of(0), FIRST), choice);
    }

    private static Stmt let(String name, PrimExpr value, Function<Var, Stmt> body) {
      Var var = new Var(name, value.dtype());
      return new Let(var, value, body.apply(var));
    }

    private Stmt ofClass(List<PrimExpr> i, Var before) {
      return Lines.loop(
          "j",
          scores.shape().get(2),
          j -> let("box", order.at(List.of(i.get(0), i.get(1), j)), box -> ofBox(i, before, box)));
    }

    private Stmt ofBox(List<PrimExpr> i, Var before, Var box) {
      PrimExpr score = scores.at(List.of(i.get(0), i.get(1), box));
      PrimExpr isHigh = Arith.gt(Arith.widened(score), wide(least, score));
      PrimExpr own = Exprs.sub(count.load(FIRST), before);
      PrimExpr isFree = Exprs.lt(own, Arith.index(limit.at(List.of())));
      Stmt compare =
          Lines.loop(
              "s",
              own,
              s -> {
                PrimExpr other = chosen.load(List.of(Exprs.add(before, s), IntImm.of(2)));
                PrimExpr shared = overlapOf(i.get(0), box, other);
                PrimExpr far = Exprs.lt(shared, wide(overlap, shared));
                return Lines.set(keep, Exprs.and(keep.load(List.of()), far));
              });
      PrimExpr row = count.load(FIRST);
      Stmt add =
          Lines.seq(
              new BufferStore(chosen, i.get(0), List.of(row, IntImm.of(0))),
              new BufferStore(chosen, i.get(1), List.of(row, IntImm.of(1))),
              new BufferStore(chosen, box, List.of(row, IntImm.of(2))),
              new BufferStore(count, Exprs.add(row, 1), FIRST));
      return Lines.when(
          Exprs.and(isHigh, isFree),
          Lines.seq(
              Lines.set(keep, IntImm.of(true)), compare, Lines.when(keep.load(List.of()), add)));
    }

    private static PrimExpr wide(TensorExpr number, PrimExpr other) {
      return Exprs.cast(Arith.wide(other.dtype()), number.at(List.of()));
    }

    /** The area that two boxes share, divided by the area of both. */
    private PrimExpr overlapOf(PrimExpr image, PrimExpr a, PrimExpr b) {
      PrimExpr shared = Exprs.mul(common(image, a, b, 0), common(image, a, b, 1));
      PrimExpr all = Exprs.sub(Exprs.add(area(image, a), area(image, b)), shared);
      PrimExpr zero = Arith.like(all, 0);
      return Exprs.select(Exprs.le(all, zero), zero, Arith.div(shared, all));
    }

    private PrimExpr common(PrimExpr image, PrimExpr a, PrimExpr b, int axis) {
      PrimExpr high = Exprs.min(corner(image, a, axis, true), corner(image, b, axis, true));
      PrimExpr low = Exprs.max(corner(image, a, axis, false), corner(image, b, axis, false));
      PrimExpr extent = Exprs.sub(high, low);
      return Exprs.max(extent, Arith.like(extent, 0));
    }

    private PrimExpr area(PrimExpr image, PrimExpr box) {
      return Exprs.mul(extent(image, box, 0), extent(image, box, 1));
    }

    private PrimExpr extent(PrimExpr image, PrimExpr box, int axis) {
      return Exprs.sub(corner(image, box, axis, true), corner(image, box, axis, false));
    }

    private PrimExpr corner(PrimExpr image, PrimExpr box, int axis, boolean isHigh) {
      PrimExpr one = Arith.widened(boxes.at(List.of(image, box, IntImm.of(axis))));
      PrimExpr other = Arith.widened(boxes.at(List.of(image, box, IntImm.of(axis + 2))));
      return isHigh ? Exprs.max(one, other) : Exprs.min(one, other);
    }
  }
}
