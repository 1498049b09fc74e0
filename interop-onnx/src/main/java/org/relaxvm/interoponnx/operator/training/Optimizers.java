package org.relaxvm.interoponnx.operator.training;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;

/** Steps of optimizers, each for any number of tensors. */
public final class Optimizers {
  private static final String DOMAIN = "ai.onnx.preview.training";

  private Optimizers() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add(DOMAIN, "Adagrad", converter(3, Optimizers::adagrad))
        .add(DOMAIN, "Adam", converter(4, Optimizers::adam))
        .add(DOMAIN, "Momentum", converter(3, Optimizers::momentum))
        .refuse(
            DOMAIN, "Gradient", "derivatives are not computed: export the graph of the gradient");
  }

  /** The step of one tensor. */
  @FunctionalInterface
  private interface Rule {
    /**
     * The new tensor, and what is kept for the next step.
     *
     * @param state the tensor, its gradient, and what was kept
     */
    List<Expr> apply(Step step, List<Expr> state);
  }

  /**
   * A step.
   *
   * @param rate the learning rate, without axes
   * @param count the number of steps so far, without axes
   */
  private record Step(NodeContext node, Expr rate, Expr count) {
    PrimValue number(Expr like, double value) {
      return Dtypes.number(node, like, value);
    }

    double attribute(String name, float missing) {
      return node.attributes().real(name, missing);
    }

    double required(String name) {
      return node.attributes()
          .real(name)
          .orElseThrow(() -> node.unsupported("the attribute '" + name + "' is missing", ""));
    }

    Expr times(double factor, Expr x) {
      return node.emit(Ops.multiply(x, number(x, factor)));
    }

    Expr product(Expr a, Expr b) {
      return node.emit(Ops.multiply(a, b));
    }

    Expr sum(Expr a, Expr b) {
      return node.emit(Ops.add(a, b));
    }

    Expr difference(Expr a, Expr b) {
      return node.emit(Ops.subtract(a, b));
    }

    Expr quotient(Expr a, Expr b) {
      return node.emit(Ops.divide(a, b));
    }

    Expr in(DType dtype, Expr x) {
      return Dtypes.cast(node, x, dtype);
    }

    /** The gradient with that of the regularization. */
    Expr gradient(List<Expr> state, double coefficient) {
      return sum(times(coefficient, state.get(0)), state.get(1));
    }
  }

  private static Converter converter(int kinds, Rule rule) {
    return node -> {
      int tensors = (node.inputs() - 2) / kinds;
      if (node.inputs() != 2 + kinds * tensors || tensors < 1) {
        throw node.unsupported(
            "it has "
                + node.inputs()
                + " inputs; expected a rate, a count and "
                + kinds
                + " for each tensor",
            "");
      }
      Step step = new Step(node, scalar(node, 0), scalar(node, 1));
      List<List<Expr>> results = new ArrayList<>();
      for (int i = 0; i < tensors; i++) {
        List<Expr> state = new ArrayList<>();
        for (int kind = 0; kind < kinds; kind++) {
          state.add(node.tensor(2 + kind * tensors + i));
        }
        results.add(rule.apply(step, state));
      }
      List<Expr> outputs = new ArrayList<>();
      for (int kind = 0; kind < kinds - 1; kind++) {
        for (List<Expr> one : results) {
          outputs.add(one.get(kind));
        }
      }
      return node.results(outputs);
    };
  }

  private static Expr scalar(NodeContext node, int input) {
    Expr value = node.tensor(input);
    return node.rank(value) == 0 ? value : node.emit(Ops.reshape(value, Ops.shape()));
  }

  private static List<Expr> adagrad(Step step, List<Expr> state) {
    Expr x = state.get(0);
    DType dtype = step.node.dtype(x);
    Expr count = step.in(dtype, step.count);
    Expr decay = step.times(step.attribute("decay_factor", 0), count);
    Expr rate = step.quotient(step.in(dtype, step.rate), step.sum(decay, step.number(decay, 1)));
    Expr gradient = step.gradient(state, step.attribute("norm_coefficient", 0));
    Expr squares = step.sum(state.get(2), step.product(gradient, gradient));
    Expr root = step.node.emit(Ops.sqrt(squares));
    Expr divisor = step.sum(root, step.number(root, step.attribute("epsilon", 1e-6f)));
    Expr change = step.quotient(step.product(rate, gradient), divisor);
    return List.of(step.difference(x, change), squares);
  }

  private static List<Expr> adam(Step step, List<Expr> state) {
    Expr x = state.get(0);
    DType dtype = step.node.dtype(x);
    double alpha = step.attribute("alpha", 0.9f);
    double beta = step.attribute("beta", 0.999f);
    Expr gradient = step.gradient(state, step.attribute("norm_coefficient", 0));
    Expr mean = step.sum(step.times(alpha, state.get(2)), step.times(1 - alpha, gradient));
    Expr squares =
        step.sum(
            step.times(beta, state.get(3)), step.times(1 - beta, step.product(gradient, gradient)));
    Expr root = step.node.emit(Ops.sqrt(squares));
    Expr divisor = step.sum(root, step.number(root, step.attribute("epsilon", 1e-6f)));
    Expr rate = corrected(step, step.in(dtype, step.rate), alpha, beta);
    Expr next = step.difference(x, step.product(rate, step.quotient(mean, divisor)));
    double kept = 1 - step.attribute("norm_coefficient_post", 0);
    return List.of(step.times(kept, next), mean, squares);
  }

  /** After the first step the rate makes up for the zeros that both means began with. */
  private static Expr corrected(Step step, Expr rate, double alpha, double beta) {
    Expr count = step.in(step.node.dtype(rate), step.count);
    Expr ofSquares = step.node.emit(Ops.sqrt(missing(step, beta, count)));
    Expr factor = step.quotient(ofSquares, missing(step, alpha, count));
    return step.node.emit(Ops.where(isLater(step), step.product(rate, factor), rate));
  }

  /** {@code 1 - base^count}. */
  private static Expr missing(Step step, double base, Expr count) {
    Expr power = step.node.emit(Ops.power(step.number(count, base), count));
    return step.difference(step.number(count, 1), power);
  }

  private static Expr isLater(Step step) {
    return step.node.emit(Ops.greater(step.count, step.number(step.count, 0)));
  }

  private static List<Expr> momentum(Step step, List<Expr> state) {
    Expr x = state.get(0);
    DType dtype = step.node.dtype(x);
    double alpha = step.required("alpha");
    Expr gradient = step.gradient(state, step.required("norm_coefficient"));
    Expr weight =
        step.node.emit(
            Ops.where(
                isLater(step),
                step.node.scalar(dtype, step.required("beta")),
                step.node.scalar(dtype, 1)));
    Expr velocity = step.sum(step.times(alpha, state.get(2)), step.product(weight, gradient));
    String mode = step.node.attributes().string("mode", "standard");
    Expr direction =
        switch (mode) {
          case "standard" -> velocity;
          case "nesterov" -> step.sum(gradient, step.times(alpha, velocity));
          default ->
              throw step.node.unsupported(
                  "mode is '" + mode + "'; expected standard or nesterov", "");
        };
    Expr change = step.product(step.in(dtype, step.rate), direction);
    return List.of(step.difference(x, change), velocity);
  }
}
