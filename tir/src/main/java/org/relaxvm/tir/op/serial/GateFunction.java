package org.relaxvm.tir.op.serial;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;

/**
 * The activation function of a gate of a recurrent layer.
 *
 * @param alpha of functions that have one
 * @param beta of functions that have one
 */
public record GateFunction(Kind kind, double alpha, double beta) {
  /** The functions. */
  public enum Kind {
    /** {@code max(x, 0)}. */
    RELU,
    /** {@code tanh(x)}. */
    TANH,
    /** {@code 1 / (1 + exp(-x))}. */
    SIGMOID,
    /** {@code alpha * x + beta}. */
    AFFINE,
    /** {@code x} above 0, else {@code alpha * x}. */
    LEAKY_RELU,
    /** {@code x} above alpha, else 0. */
    THRESHOLDED_RELU,
    /** {@code alpha * tanh(beta * x)}. */
    SCALED_TANH,
    /** {@code min(max(alpha * x + beta, 0), 1)}. */
    HARD_SIGMOID,
    /** {@code x} above 0, else {@code alpha * (exp(x) - 1)}. */
    ELU,
    /** {@code x / (1 + |x|)}. */
    SOFTSIGN,
    /** {@code log(1 + exp(x))}. */
    SOFTPLUS;

    /** As attributes of operators have it, such as {@code leaky_relu}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A function without parameters. */
  public static GateFunction of(Kind kind) {
    return new GateFunction(kind, 0, 0);
  }

  /** The kind of a name, as attributes have it. */
  public static Optional<Kind> kind(String text) {
    return Arrays.stream(Kind.values()).filter(kind -> kind.text().equals(text)).findFirst();
  }

  /**
   * The functions of a list of names separated by commas, each with its parameters.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when a name is unknown, or the numbers of
   *     parameters and of names differ
   */
  public static List<GateFunction> list(
      String op, String names, List<Double> alpha, List<Double> beta) {
    List<String> all = List.of(names.split(",", -1));
    Check.count(op, "alpha", alpha, all.size());
    Check.count(op, "beta", beta, all.size());
    Function<Integer, GateFunction> function =
        i ->
            new GateFunction(
                kind(all.get(i))
                    .orElseThrow(
                        () ->
                            Check.wrong(
                                op,
                                "there is no function '"
                                    + all.get(i)
                                    + "'; there are "
                                    + String.join(
                                        ", ",
                                        Arrays.stream(Kind.values()).map(Kind::text).toList()))),
                alpha.get(i),
                beta.get(i));
    return IntStream.range(0, all.size()).boxed().map(function).toList();
  }

  /** The value of the function. */
  PrimExpr of(PrimExpr x) {
    PrimExpr zero = Arith.like(x, 0);
    PrimExpr one = Arith.like(x, 1);
    PrimExpr a = Arith.like(x, alpha);
    PrimExpr b = Arith.like(x, beta);
    return switch (kind) {
      case RELU -> Exprs.max(x, zero);
      case TANH -> Exprs.call(Intrinsic.TANH, x);
      case SIGMOID -> Exprs.call(Intrinsic.SIGMOID, x);
      case AFFINE -> Exprs.add(Exprs.mul(x, a), b);
      case LEAKY_RELU -> Exprs.select(Exprs.lt(x, zero), Exprs.mul(x, a), x);
      case THRESHOLDED_RELU -> Exprs.select(Arith.gt(x, a), x, zero);
      case SCALED_TANH -> Exprs.mul(Exprs.call(Intrinsic.TANH, Exprs.mul(x, b)), a);
      case HARD_SIGMOID -> Arith.clamp(Exprs.add(Exprs.mul(x, a), b), zero, one);
      case ELU ->
          Exprs.select(
              Exprs.lt(x, zero), Exprs.mul(Exprs.sub(Arith.exp(Exprs.min(x, zero)), one), a), x);
      case SOFTSIGN -> Arith.div(x, Exprs.add(Exprs.call(Intrinsic.ABS, x), one));
      case SOFTPLUS ->
          Exprs.add(
              Exprs.max(x, zero),
              Arith.log(Exprs.add(Arith.exp(Exprs.sub(zero, Exprs.call(Intrinsic.ABS, x))), one)));
    };
  }
}
