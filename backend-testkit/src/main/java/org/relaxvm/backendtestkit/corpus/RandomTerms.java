package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.TensorExpr;

/** Random formulas of tensors. What is compared or becomes an integer is exact. */
final class RandomTerms {
  private static final List<BinaryOp> ARITHMETIC =
      List.of(BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.MIN, BinaryOp.MAX);
  private static final List<BinaryOp> COMPARISONS =
      List.of(BinaryOp.EQ, BinaryOp.NE, BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE);
  private static final List<BinaryOp> DIVISIONS =
      List.of(BinaryOp.DIV, BinaryOp.MOD, BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD);
  private static final List<Intrinsic> BITS =
      List.of(Intrinsic.BITWISE_AND, Intrinsic.BITWISE_OR, Intrinsic.BITWISE_XOR);
  private static final List<DType> CASTS =
      List.of(DType.FLOAT32, DType.FLOAT64, DType.INT8, DType.UINT8, DType.INT32, DType.INT64);

  private static final Precision FLAG = new Precision(DType.BOOL, 1, 0, 0);

  /** A tensor and the dimensions that its axes are. */
  record Known(TensorExpr tensor, List<Integer> dims, Precision precision) {}

  private final Random random;
  private final List<Known> known;
  private final List<PrimExpr> extents;

  /**
   * Formulas of what is known, which may grow.
   *
   * @param extents of the dimensions
   */
  RandomTerms(Random random, List<Known> known, List<PrimExpr> extents) {
    this.random = random;
    this.known = known;
    this.extents = extents;
  }

  <T> T anyOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** A formula of one to three elements. */
  Term any() {
    Term a = element();
    Term b = element();
    return switch (random.nextInt(10)) {
      case 0 -> changed(a);
      case 1 -> compared(a, b);
      case 2 -> {
        Term c = element();
        Term other = fitting(c, b);
        yield compared(a, b).choose(c.as(other.dtype()), other, random.nextBoolean());
      }
      case 3 -> changed(combined(a, b));
      default -> combined(a, b);
    };
  }

  /** The second one in the dtype of the first, or, if it is not exact, in its own. */
  private static Term fitting(Term first, Term second) {
    return second.isExact() || first.dtype().isFloat() ? second.as(first.dtype()) : second;
  }

  private Term combined(Term first, Term second) {
    Term b = fitting(first, second);
    Term a = first.as(b.dtype());
    if (a.dtype().equals(DType.BOOL)) {
      return a.with(b, random.nextBoolean() ? BinaryOp.AND : BinaryOp.OR, a.precision());
    }
    if (DTypes.isInteger(a.dtype()) && random.nextInt(6) == 0) {
      Intrinsic op = anyOf(BITS);
      return new Term(
          Term.union(a.dims(), b.dims()),
          a.precision().anything(),
          point -> Exprs.call(op, a.formula().at(point), b.formula().at(point)));
    }
    BinaryOp op = anyOf(ARITHMETIC);
    Precision result =
        switch (op) {
          case ADD -> a.precision().plus(b.precision());
          case SUB ->
              DTypes.isUnsigned(a.dtype())
                  ? a.precision().anything()
                  : a.precision().plus(b.precision());
          case MUL -> a.precision().times(b.precision());
          default -> a.precision().or(b.precision());
        };
    return result.isUsable()
        ? a.with(b, op, result)
        : a.with(b, BinaryOp.MAX, a.precision().or(b.precision()));
  }

  private Term compared(Term a, Term b) {
    if (!a.isExact() || !b.isExact()) {
      long bound = 1L + random.nextInt(4);
      return index(random.nextInt(extents.size())).map(FLAG, i -> Exprs.lt(i, IntImm.of(bound)));
    }
    Term same = b.as(a.dtype());
    boolean flags = a.dtype().equals(DType.BOOL);
    BinaryOp op = flags ? BinaryOp.NE : anyOf(COMPARISONS);
    return a.with(same, op, FLAG);
  }

  /** A function of one value. */
  private Term changed(Term a) {
    Precision precision = a.precision();
    if (a.dtype().equals(DType.BOOL)) {
      return random.nextBoolean() ? a.map(precision, Exprs::not) : a.as(anyOf(CASTS));
    }
    if (a.isExact() && random.nextInt(3) == 0) {
      return a.as(anyOf(CASTS));
    }
    if (DTypes.isInteger(a.dtype())) {
      BinaryOp op = anyOf(DIVISIONS);
      long by = 1L + random.nextInt(5);
      return a.map(precision.anything(), x -> Exprs.binary(op, x, Exprs.constant(a.dtype(), by)));
    }
    return switch (random.nextInt(5)) {
      case 0 -> a.map(precision, x -> Exprs.call(Intrinsic.ABS, x));
      case 1 -> a.map(precision.through(1), x -> Exprs.call(Intrinsic.TANH, x));
      case 2 -> a.map(precision.through(1), x -> Exprs.call(Intrinsic.SIGMOID, x));
      case 3 ->
          a.map(
              precision.through(1),
              x -> Exprs.call(Intrinsic.EXP, Exprs.min(x, Exprs.constant(a.dtype(), 0))));
      default -> {
        Precision half =
            new Precision(a.dtype(), precision.max(), precision.fraction() + 1, precision.error());
        yield a.map(half, x -> Exprs.mul(x, Exprs.constant(a.dtype(), 0.5)));
      }
    };
  }

  /** An element of a tensor, mostly where the point is. */
  private Term element() {
    Known from = anyOf(known);
    if (from.dims().isEmpty() || random.nextInt(3) > 0) {
      return at(from, Set.of(), (dim, point) -> point.apply(dim));
    }
    int moved = anyOf(from.dims());
    PrimExpr extent = extents.get(moved);
    int step = random.nextInt(5) - 2;
    return switch (random.nextInt(4)) {
      case 0 -> index(moved);
      case 1 -> padded(from, moved, step);
      case 2 -> {
        // The nearest one that there is.
        IndexChoice nearest =
            (dim, point) ->
                dim != moved
                    ? point.apply(dim)
                    : Exprs.max(
                        Exprs.min(Exprs.add(point.apply(dim), step), Exprs.sub(extent, 1)),
                        IntImm.of(0));
        yield at(from, Set.of(), nearest);
      }
      default -> gathered(from, moved);
    };
  }

  private Term index(int dim) {
    return new Term(Set.of(dim), new Precision(DType.INT64, 8, 0, 0), point -> point.apply(dim));
  }

  private Term padded(Known from, int moved, int step) {
    Term inside =
        at(
            from,
            Set.of(),
            (dim, point) -> dim == moved ? Exprs.add(point.apply(dim), step) : point.apply(dim));
    PrimExpr outside =
        from.tensor().dtype().equals(DType.BOOL)
            ? IntImm.of(false)
            : Exprs.constant(from.tensor().dtype(), 0);
    return new Term(
        inside.dims(),
        inside.precision(),
        point -> {
          PrimExpr there = Exprs.add(point.apply(moved), step);
          PrimExpr known =
              Exprs.and(Exprs.le(IntImm.of(0), there), Exprs.lt(there, extents.get(moved)));
          return Exprs.ifThenElse(known, inside.formula().at(point), outside);
        });
  }

  private Term gathered(Known from, int moved) {
    List<Known> indices =
        known.stream().filter(one -> DTypes.isIntegral(one.tensor().dtype())).toList();
    if (indices.isEmpty()) {
      return at(from, Set.of(), (dim, point) -> point.apply(dim));
    }
    Known chosen = anyOf(indices);
    Term index = at(chosen, Set.of(), (dim, point) -> point.apply(dim)).as(DType.INT64);
    return at(
        from,
        index.dims(),
        (dim, point) ->
            dim == moved
                ? Exprs.floorMod(index.formula().at(point), extents.get(dim))
                : point.apply(dim));
  }

  /** Where an element of a tensor is along a dimension. */
  private interface IndexChoice {
    PrimExpr index(int dim, IntFunction<PrimExpr> point);
  }

  /** All dimensions count, so that nothing is computed where the tensor has no elements. */
  private static Term at(Known from, Set<Integer> more, IndexChoice choice) {
    return new Term(
        Term.union(new TreeSet<>(from.dims()), more),
        from.precision(),
        point ->
            from.tensor().at(from.dims().stream().map(dim -> choice.index(dim, point)).toList()));
  }
}
