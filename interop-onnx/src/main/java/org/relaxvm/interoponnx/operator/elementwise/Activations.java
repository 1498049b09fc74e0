package org.relaxvm.interoponnx.operator.elementwise;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;

/** Activation functions. */
public final class Activations {
  private static final double SELU_ALPHA = 1.67326319217681884765625;
  private static final double SELU_GAMMA = 1.05070102214813232421875;

  private Activations() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Relu", 1, node -> node.result(relu(node, node.tensor(0))))
        .add("Sigmoid", 1, Unary.unary(Functions::sigmoid))
        .add("LeakyRelu", 1, Activations::leakyRelu)
        .add("PRelu", 1, Activations::prelu)
        .add("Elu", 1, roundedOnce((node, x) -> elu(node, x, alpha(node, 1))))
        .add("Celu", 12, roundedOnce(Activations::celu))
        .add("Selu", 1, roundedOnce(Activations::selu))
        .add("ThresholdedRelu", 10, Activations::thresholdedRelu)
        .add("HardSigmoid", 1, Activations::hardSigmoid)
        .add("HardSwish", 14, Activations::hardSwish)
        .add("Softplus", 1, node -> node.result(softplus(node, node.tensor(0))))
        .add("Softsign", 1, Activations::softsign)
        .add("Mish", 18, Activations::mish)
        .add("Shrink", 9, Activations::shrink)
        .add("Swish", 24, Activations::swish)
        .add("Gelu", 20, Activations::gelu)
        .add("Clip", 1, Activations::clip);
  }

  private static PrimValue number(NodeContext node, Expr like, double value) {
    return Ops.scalar(node.dtype(like), value);
  }

  private static float alpha(NodeContext node, float missing) {
    return node.attributes().real("alpha", missing);
  }

  private static Expr relu(NodeContext node, Expr x) {
    return Ops.maximum(x, number(node, x, 0));
  }

  private static List<Operand> leakyRelu(NodeContext node) {
    Expr x = node.tensor(0);
    Expr scaled = node.emit(Ops.multiply(x, number(node, x, alpha(node, 0.01f))));
    return node.result(Ops.where(negative(node, x), scaled, x));
  }

  private static Expr negative(NodeContext node, Expr x) {
    return node.emit(Ops.less(x, number(node, x, 0)));
  }

  /** Before version 7 a slope of one axis has an element for each channel. */
  private static List<Operand> prelu(NodeContext node) {
    Expr slope = node.tensor(1);
    int rank = node.rank(node.tensor(0));
    if (node.version() < 7 && node.rank(slope) == 1 && rank > 2) {
      Integer[] trailing = IntStream.range(1, rank - 1).boxed().toArray(Integer[]::new);
      slope = node.emit(Ops.expandDims(slope, trailing));
    }
    List<Expr> operands = node.broadcast(List.of(node.tensor(0), slope));
    Expr x = operands.get(0);
    Expr scaled = node.emit(Ops.multiply(x, operands.get(1)));
    return node.result(Ops.where(negative(node, x), scaled, x));
  }

  /** A function that loses digits, computed in float32 where the input is narrower. */
  private static Converter roundedOnce(BiFunction<NodeContext, Expr, Expr> function) {
    return node -> {
      Expr x = node.tensor(0);
      Expr result = node.emit(function.apply(node, Dtypes.widened(node, x)));
      return List.of(node.operandOf(Dtypes.cast(node, result, node.dtype(x))));
    };
  }

  private static Expr elu(NodeContext node, Expr x, double alpha) {
    Expr grown = node.emit(Ops.subtract(node.emit(Ops.exp(x)), number(node, x, 1)));
    Expr scaled = node.emit(Ops.multiply(grown, number(node, x, alpha)));
    return Ops.where(node.emit(Ops.greater(x, number(node, x, 0))), x, scaled);
  }

  private static Expr celu(NodeContext node, Expr x) {
    PrimValue alpha = number(node, x, alpha(node, 1));
    Expr grown =
        node.emit(
            Ops.subtract(node.emit(Ops.exp(node.emit(Ops.divide(x, alpha)))), number(node, x, 1)));
    Expr below = node.emit(Ops.minimum(node.emit(Ops.multiply(grown, alpha)), number(node, x, 0)));
    return Ops.add(node.emit(relu(node, x)), below);
  }

  private static Expr selu(NodeContext node, Expr x) {
    double alpha = node.attributes().real("alpha", (float) SELU_ALPHA);
    double gamma = node.attributes().real("gamma", (float) SELU_GAMMA);
    return Ops.multiply(node.emit(elu(node, x, alpha)), number(node, x, gamma));
  }

  private static List<Operand> thresholdedRelu(NodeContext node) {
    Expr x = node.tensor(0);
    Expr above = node.emit(Ops.greater(x, number(node, x, alpha(node, 1))));
    return node.result(Ops.where(above, x, node.scalar(node.dtype(x), 0)));
  }

  private static Expr hardSigmoid(NodeContext node, Expr x, double alpha, double beta) {
    Expr line =
        node.emit(
            Ops.add(node.emit(Ops.multiply(x, number(node, x, alpha))), number(node, x, beta)));
    Expr above = node.emit(Ops.maximum(line, number(node, x, 0)));
    return Ops.minimum(above, number(node, x, 1));
  }

  private static List<Operand> hardSigmoid(NodeContext node) {
    return node.result(
        hardSigmoid(node, node.tensor(0), alpha(node, 0.2f), node.attributes().real("beta", 0.5f)));
  }

  private static List<Operand> hardSwish(NodeContext node) {
    Expr x = node.tensor(0);
    return node.result(Ops.multiply(x, node.emit(hardSigmoid(node, x, 1 / 6.0, 0.5))));
  }

  /** {@code log(1 + exp(x))}, without overflow. */
  private static Expr softplus(NodeContext node, Expr x) {
    Expr distance = node.emit(Ops.negative(node.emit(Ops.abs(x))));
    Expr tail =
        node.emit(Ops.log(node.emit(Ops.add(node.emit(Ops.exp(distance)), number(node, x, 1)))));
    return Ops.add(node.emit(relu(node, x)), tail);
  }

  private static List<Operand> softsign(NodeContext node) {
    Expr x = node.tensor(0);
    return node.result(
        Ops.divide(x, node.emit(Ops.add(node.emit(Ops.abs(x)), number(node, x, 1)))));
  }

  private static List<Operand> mish(NodeContext node) {
    Expr x = node.tensor(0);
    return node.result(Ops.multiply(x, node.emit(Ops.tanh(node.emit(softplus(node, x))))));
  }

  /** The attributes are floats; integers are computed in float32. */
  private static List<Operand> shrink(NodeContext node) {
    Expr input = node.tensor(0);
    DType dtype = node.dtype(input);
    Expr x = dtype.isFloat() ? input : node.emit(Ops.astype(input, DType.FLOAT32));
    double lambda = node.attributes().real("lambd", 0.5f);
    PrimValue bias = number(node, x, node.attributes().real("bias", 0));
    Expr below = node.emit(Ops.less(x, number(node, x, -lambda)));
    Expr above = node.emit(Ops.greater(x, number(node, x, lambda)));
    Expr lower = node.emit(Ops.subtract(x, bias));
    Expr result =
        node.emit(
            Ops.where(
                below,
                node.emit(Ops.add(x, bias)),
                node.emit(Ops.where(above, lower, node.scalar(node.dtype(x), 0)))));
    return node.result(dtype.isFloat() ? result : Ops.astype(result, dtype));
  }

  private static List<Operand> swish(NodeContext node) {
    Expr x = node.tensor(0);
    Expr scaled = node.emit(Ops.multiply(x, number(node, x, alpha(node, 1))));
    return node.result(Ops.multiply(x, node.emit(Ops.sigmoid(scaled))));
  }

  private static List<Operand> gelu(NodeContext node) {
    String approximate = node.attributes().string("approximate", "none");
    return switch (approximate) {
      case "none" ->
          node.result(org.relaxvm.compiler.op.elementwise.Activations.gelu(node.tensor(0)));
      case "tanh" ->
          node.result(org.relaxvm.compiler.op.elementwise.Activations.geluTanh(node.tensor(0)));
      default ->
          throw node.unsupported(
              "the approximation is '" + approximate + "'; expected none or tanh", "");
    };
  }

  /** Bounds are attributes before version 11, inputs from it on; each may be absent. */
  private static List<Operand> clip(NodeContext node) {
    Expr x = node.tensor(0);
    if (node.version() < 11) {
      float low = node.attributes().real("min", -Float.MAX_VALUE);
      float high = node.attributes().real("max", Float.MAX_VALUE);
      Expr above = node.emit(Ops.maximum(x, number(node, x, low)));
      return node.result(Ops.minimum(above, number(node, x, high)));
    }
    Expr above = node.has(1) ? node.emit(Ops.maximum(x, scalar(node, 1))) : x;
    return node.result(node.has(2) ? Ops.minimum(above, scalar(node, 2)) : above);
  }

  private static Expr scalar(NodeContext node, int input) {
    Expr bound = node.tensor(input);
    return node.rank(bound) == 0 ? bound : node.emit(Ops.reshape(bound, Ops.shape()));
  }
}
