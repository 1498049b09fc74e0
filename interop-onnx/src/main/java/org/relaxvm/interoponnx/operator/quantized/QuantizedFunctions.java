package org.relaxvm.interoponnx.operator.quantized;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;

/** Operators of ONNX Runtime that compute with floats between a dequantization and the opposite. */
public final class QuantizedFunctions {
  /** The version by which operators are read that have not changed since. */
  private static final long NEWEST = 22;

  private QuantizedFunctions() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    add(table, "QLinearAdd", binary("Add"));
    add(table, "QLinearMul", binary("Mul"));
    add(table, "QLinearSigmoid", unary("Sigmoid"));
    add(table, "QLinearLeakyRelu", unary("LeakyRelu"));
    add(table, "QLinearSoftmax", QuantizedFunctions::softmax);
    add(table, "QLinearAveragePool", unary("AveragePool"));
    add(table, "QLinearGlobalAveragePool", unary("GlobalAveragePool"));
    add(table, "QLinearConcat", QuantizedFunctions::concat);
    add(table, "QLinearWhere", QuantizedFunctions::where);
  }

  private static void add(OperatorTable.Builder table, String name, Converter converter) {
    table.add(OperatorTable.MICROSOFT, name, converter);
  }

  /** A tensor, a scale and an optional zero point, from an input on. */
  private static Operand floats(NodeContext node, int input) {
    Expr x = node.tensor(input);
    return node.operandOf(
        Quantizing.dequantize(
            node,
            x,
            node.tensor(input + 1),
            QuantizationParameters.zeroPoint(node, input + 2),
            new QuantizationParameters(node.dims(x), 0, 0),
            DType.FLOAT32));
  }

  /**
   * Floats with the scale and zero point of the result.
   *
   * @param scale the input with the scale; that of the optional zero point follows
   * @param missing the dtype of a result without zero point
   */
  private static List<Operand> quantized(
      NodeContext node, Operand floats, int scale, DType missing) {
    Expr x = node.leaf(floats);
    DType to = node.has(scale + 1) ? Dtypes.of(node, node.operand(scale + 1)) : missing;
    return List.of(
        Quantizing.quantize(
            node,
            x,
            node.tensor(scale),
            QuantizationParameters.zeroPoint(node, scale + 1),
            new QuantizationParameters(node.dims(x), 0, 0),
            DType.FLOAT32,
            to,
            true));
  }

  private static Converter binary(String operator) {
    return node ->
        quantized(
            node,
            node.apply(operator, NEWEST, List.of(floats(node, 0), floats(node, 3))).getFirst(),
            6,
            node.dtype(node.tensor(0)));
  }

  private static Converter unary(String operator) {
    return node -> {
      boolean isLast = node.attributes().flag("channels_last", false);
      Operand x = floats(node, 0);
      Operand result =
          node.apply(operator, NEWEST, List.of(isLast ? channelsSecond(node, x) : x)).getFirst();
      return quantized(
          node, isLast ? channelsLast(node, result) : result, 3, node.dtype(node.tensor(0)));
    };
  }

  private static Operand channelsSecond(NodeContext node, Operand x) {
    int rank = node.rank(node.leaf(x));
    List<Integer> order = new ArrayList<>(List.of(0, rank - 1));
    for (int axis = 1; axis < rank - 1; axis++) {
      order.add(axis);
    }
    return permuted(node, x, order);
  }

  private static Operand channelsLast(NodeContext node, Operand x) {
    int rank = node.rank(node.leaf(x));
    List<Integer> order = new ArrayList<>(List.of(0));
    for (int axis = 2; axis < rank; axis++) {
      order.add(axis);
    }
    order.add(1);
    return permuted(node, x, order);
  }

  private static Operand permuted(NodeContext node, Operand x, List<Integer> order) {
    return node.operandOf(Ops.permuteDims(node.leaf(x), order.toArray(new Integer[0])));
  }

  /** The attribute {@code opset} says by which version the axis is read. */
  private static List<Operand> softmax(NodeContext node) {
    long version = node.attributes().integer("opset", 13);
    Operand result = node.apply("Softmax", version, List.of(floats(node, 0))).getFirst();
    return quantized(node, result, 3, node.dtype(node.tensor(0)));
  }

  /** Scale and zero point of the result come first, then those of each tensor after it. */
  private static List<Operand> concat(NodeContext node) {
    List<Operand> parts = new ArrayList<>();
    for (int input = 2; input < node.inputs(); input += 3) {
      parts.add(floats(node, input));
    }
    if (parts.isEmpty()) {
      throw node.unsupported("it has no tensors", "");
    }
    Operand result = node.apply("Concat", NEWEST, parts).getFirst();
    return quantized(node, result, 0, node.dtype(node.tensor(2)));
  }

  private static List<Operand> where(NodeContext node) {
    Operand result =
        node.apply("Where", NEWEST, List.of(node.operand(0), floats(node, 1), floats(node, 4)))
            .getFirst();
    return quantized(node, result, 7, node.dtype(node.tensor(1)));
  }
}
