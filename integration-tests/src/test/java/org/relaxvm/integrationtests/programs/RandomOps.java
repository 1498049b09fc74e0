package org.relaxvm.integrationtests.programs;

import static org.relaxvm.compiler.dsl.Ops.abs;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.astype;
import static org.relaxvm.compiler.dsl.Ops.clip;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.divide;
import static org.relaxvm.compiler.dsl.Ops.exp;
import static org.relaxvm.compiler.dsl.Ops.maximum;
import static org.relaxvm.compiler.dsl.Ops.minimum;
import static org.relaxvm.compiler.dsl.Ops.multiply;
import static org.relaxvm.compiler.dsl.Ops.scalar;
import static org.relaxvm.compiler.dsl.Ops.sqrt;
import static org.relaxvm.compiler.dsl.Ops.subtract;

import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Activations;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Comparisons;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.elementwise.Logic;
import org.relaxvm.compiler.op.index.Searches;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Random calls of operators on elements; with them the bounds of what they give. */
final class RandomOps {
  private final SplittableRandom random;
  private final Analyzer analyzer = new Analyzer();

  RandomOps(SplittableRandom random) {
    this.random = random;
  }

  /** An expression that is not emitted, with what {@link Item} says of its value. */
  record Made(Expr expr, boolean exact, double bound, double scale) {
    /** What keeps elements and errors as they are. */
    static Made like(Item x, Expr expr) {
      return new Made(expr, x.exact(), x.bound(), x.scale());
    }

    static Made exact(Expr expr) {
      return new Made(expr, true, 1, 1);
    }
  }

  /** A tensor of the same dtype and shape. */
  Made unary(Item x) {
    if (x.isTruth()) {
      return Made.exact(Logic.logicalXor(x.expr(), constantLike(x)));
    }
    if (!x.isFloat()) {
      return Made.exact(
          switch (random.nextInt(4)) {
            case 0 -> Functions.negative(x.expr());
            case 1 -> abs(x.expr());
            case 2 -> Functions.bitwiseNot(x.expr());
            default -> Activations.relu(x.expr());
          });
    }
    Expr e = x.expr();
    return switch (random.nextInt(11)) {
      case 0, 1 -> Made.like(x, Activations.relu(e));
      case 2 -> Made.like(x, Functions.negative(e));
      case 3 -> Made.like(x, abs(e));
      case 4 -> new Made(Functions.tanh(e), false, 1, Math.max(1, x.scale()));
      case 5 -> new Made(Functions.sigmoid(e), false, 1, Math.max(1, x.scale()));
      case 6 -> new Made(Functions.sin(e), false, 1, Math.max(1, x.scale()));
      case 7 -> new Made(Activations.silu(e), false, x.bound(), 2 * x.scale());
      case 8 ->
          new Made(
              exp(clip(e, scalar(x.dtype(), -3), scalar(x.dtype(), 2))), false, 8, 8 * x.scale());
      case 9 -> {
        Expr positive = add(abs(e), scalar(x.dtype(), 1));
        yield new Made(sqrt(positive), false, x.bound() + 1, x.scale() + 1);
      }
      default -> Made.like(x, clip(e, scalar(x.dtype(), -4), scalar(x.dtype(), 4)));
    };
  }

  /** A tensor of the dtype and shape of the first one, from both; null where they do not fit. */
  @Nullable Made binary(Item x, Item y) {
    return x.dtype().equals(y.dtype()) && fits(x, y) ? combined(x, y, y.expr()) : null;
  }

  /** With a number as the second operand. */
  Made withNumber(Item x) {
    Constant number = constantLike(x);
    double bound = x.isFloat() ? Math.abs(number.data().doubleAt()) : 1;
    return combined(x, new Item(number, x.dtype(), List.of(), true, bound, bound), number);
  }

  private Made combined(Item x, Item y, Expr other) {
    Expr e = x.expr();
    if (x.isTruth()) {
      return Made.exact(
          switch (random.nextInt(3)) {
            case 0 -> Logic.logicalAnd(e, other);
            case 1 -> Logic.logicalOr(e, other);
            default -> Logic.logicalXor(e, other);
          });
    }
    boolean exact = x.exact() && y.exact();
    double sum = x.bound() + y.bound();
    double sumOfScales = x.scale() + y.scale();
    double product = x.bound() * y.bound();
    double ofProduct = Math.max(product, x.bound() * y.scale() + y.bound() * x.scale());
    return switch (random.nextInt(x.isFloat() ? 7 : 9)) {
      case 0, 1 -> new Made(add(e, other), exact, sum, sumOfScales);
      case 2 -> new Made(subtract(e, other), exact, sum, sumOfScales);
      case 3, 4 -> new Made(multiply(e, other), exact, product, ofProduct);
      case 5 ->
          new Made(
              random.nextBoolean() ? maximum(e, other) : minimum(e, other),
              exact,
              Math.max(x.bound(), y.bound()),
              sumOfScales);
      case 6 -> quotient(x, y, other);
      case 7 -> Made.exact(Logic.bitwiseAnd(e, other));
      default -> Made.exact(Logic.bitwiseXor(e, other));
    };
  }

  private Made quotient(Item x, Item y, Expr other) {
    if (x.isFloat()) {
      Expr positive = add(abs(other), scalar(x.dtype(), 1));
      double scale = x.scale() + Math.max(1, x.bound()) * y.scale();
      return new Made(divide(x.expr(), positive), false, x.bound(), scale);
    }
    Expr positive = maximum(other, scalar(x.dtype(), 1));
    return Made.exact(
        random.nextBoolean()
            ? Arithmetic.floorDivide(x.expr(), positive)
            : Arithmetic.floorMod(x.expr(), positive));
  }

  /** Truth values of the shape of the first tensor; null where they do not fit. */
  @Nullable Made comparison(Item x, Item y) {
    if (!x.exact() || !y.exact() || x.isTruth() || !x.dtype().equals(y.dtype()) || !fits(x, y)) {
      return null;
    }
    return Made.exact(
        switch (random.nextInt(4)) {
          case 0 -> Comparisons.less(x.expr(), y.expr());
          case 1 -> Comparisons.greaterEqual(x.expr(), y.expr());
          case 2 -> Comparisons.equal(x.expr(), y.expr());
          default -> Comparisons.notEqual(x.expr(), y.expr());
        });
  }

  /** Elements of one tensor or the other; null where they do not fit. */
  @Nullable Made choice(Item condition, Item x, Item y) {
    boolean right =
        condition.isTruth() && x.dtype().equals(y.dtype()) && fits(x, y) && fits(x, condition);
    return right
        ? new Made(
            Searches.where(condition.expr(), x.expr(), y.expr()),
            x.exact() && y.exact(),
            Math.max(x.bound(), y.bound()),
            Math.max(x.scale(), y.scale()))
        : null;
  }

  /** The tensor as another dtype; null where elements would not be the same everywhere. */
  @Nullable Made conversion(Item x) {
    DType to = List.of(DType.FLOAT32, DType.INT32, DType.INT64).get(random.nextInt(3));
    if (!x.exact()) {
      return null;
    }
    if (x.isTruth() || (x.isFloat() && x.bound() < 1e6)) {
      return new Made(astype(x.expr(), to), true, x.bound(), x.bound());
    }
    if (x.isFloat()) {
      return null;
    }
    Expr small = Arithmetic.floorMod(x.expr(), scalar(x.dtype(), 17));
    return new Made(astype(small, to), true, 17, 17);
  }

  /** A number that has the dtype of a tensor. */
  Constant constantLike(Item x) {
    Tensor number = Tensor.zeros(x.dtype(), Shape.scalar());
    Elements.put(number, 0, x.isTruth() ? random.nextInt(2) : random.nextInt(7) - 3);
    return constant(number);
  }

  /** Whether an operand takes the shape of another one. */
  boolean fits(Item x, Item operand) {
    if (operand.rank() > x.rank()) {
      return false;
    }
    for (int i = 1; i <= operand.rank(); i++) {
      PrimExpr own = operand.dims().get(operand.rank() - i);
      boolean isOne = own instanceof IntImm one && one.value() == 1;
      if (!isOne && !isSame(own, x.dims().get(x.rank() - i))) {
        return false;
      }
    }
    return true;
  }

  boolean isSame(PrimExpr a, PrimExpr b) {
    return analyzer.canProveEqual(a, b);
  }

  boolean hasSameShape(Item x, Item y) {
    return x.rank() == y.rank() && fits(x, y) && fits(y, x);
  }
}
