package org.relaxvm.interoponnx.operator.quantized;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.value.Operand;

/** QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear. */
public final class LinearQuantization {
  /** The axis of scales in {@code ai.onnx} and in {@code com.microsoft}. */
  private static final long AXIS = 1;

  private LinearQuantization() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("QuantizeLinear", 10, LinearQuantization::quantize)
        .add("DequantizeLinear", 10, LinearQuantization::dequantize)
        .add("DynamicQuantizeLinear", 11, LinearQuantization::dynamic)
        .add(OperatorTable.MICROSOFT, "QuantizeLinear", LinearQuantization::quantize)
        .add(OperatorTable.MICROSOFT, "DequantizeLinear", LinearQuantization::dequantize);
  }

  private static List<Operand> quantize(NodeContext node) {
    Expr x = node.tensor(0);
    Expr scale = DTypeCasts.numbers(node, node.operand(1));
    DType to = target(node);
    DType precision =
        dtype(node, "precision")
            .orElseGet(
                () -> node.lowBit(node.operand(1)).isPresent() ? DType.FLOAT32 : node.dtype(scale));
    QuantizationParameters parameters = QuantizationParameters.of(node, node.dims(x), AXIS);
    return List.of(
        Quantizing.quantize(
            node,
            x,
            scale,
            QuantizationParameters.zeroPoint(node, 2),
            parameters,
            precision,
            to,
            node.attributes().flag("saturate", true)));
  }

  /** The dtype of the zero point, or what the attribute says, or uint8. */
  private static DType target(NodeContext node) {
    Optional<DType> given = dtype(node, "output_dtype");
    if (!node.has(2)) {
      return given.orElse(DType.UINT8);
    }
    DType zero = Dtypes.of(node, node.operand(2));
    if (given.isPresent() && !given.get().equals(zero)) {
      throw node.unsupported(
          "output_dtype is " + given.get() + ", but the zero point is of dtype " + zero, "");
    }
    return zero;
  }

  private static Optional<DType> dtype(NodeContext node, String attribute) {
    long number = node.attributes().integer(attribute, 0);
    if (number == 0) {
      return Optional.empty();
    }
    DType dtype = ElementType.of(number).dtype();
    if (dtype == null) {
      throw node.unsupported(attribute + " is " + number + ", which is no dtype of tensors", "");
    }
    return Optional.of(dtype);
  }

  private static List<Operand> dequantize(NodeContext node) {
    Operand stored = node.operand(0);
    Expr numbers = DTypeCasts.numbers(node, stored);
    Expr x = node.dtype(numbers).isFloat8() ? Quantizing.as(node, numbers, DType.FLOAT32) : numbers;
    Expr scale = DTypeCasts.numbers(node, node.operand(1));
    DType to = dtype(node, "output_dtype").orElseGet(() -> node.dtype(scale));
    return node.result(
        Quantizing.dequantize(
            node,
            x,
            scale,
            QuantizationParameters.zeroPoint(node, 2),
            QuantizationParameters.of(node, node.dims(x), AXIS),
            to));
  }

  private static List<Operand> dynamic(NodeContext node) {
    Dynamic dynamic = dynamic(node, node.tensor(0));
    return node.results(List.of(dynamic.q, dynamic.scale, dynamic.zeroPoint));
  }

  /**
   * A tensor in uint8 with a scale that its largest and smallest elements decide.
   *
   * @param q uint8
   * @param scale float32 without axes
   * @param zeroPoint uint8 without axes
   */
  record Dynamic(Expr q, Expr scale, Expr zeroPoint) {}

  /** A tensor of float32 in uint8. */
  static Dynamic dynamic(NodeContext node, Expr x) {
    DType f = DType.FLOAT32;
    Expr zero = Ops.scalar(f, 0);
    Expr low = node.emit(Ops.minimum(node.emit(Reductions.min(x)), zero));
    Expr high = node.emit(Ops.maximum(node.emit(Reductions.max(x)), zero));
    Expr range = node.emit(Ops.subtract(high, low));
    Expr isNone = node.emit(Ops.equal(range, zero));
    Expr some = node.emit(Ops.where(isNone, node.scalar(f, 1), range));
    Expr scale = node.emit(Ops.divide(some, Ops.scalar(f, 255)));
    Expr offset = node.emit(Ops.divide(node.emit(Functions.negative(low)), scale));
    Expr bounded = node.emit(Ops.clip(offset, zero, Ops.scalar(f, 255)));
    Expr zeroPoint = node.emit(Ops.astype(node.emit(Functions.round(bounded)), DType.UINT8));
    Operand q =
        Quantizing.quantize(
            node,
            x,
            scale,
            Optional.of(zeroPoint),
            new QuantizationParameters(node.dims(x), 0, 0),
            f,
            DType.UINT8,
            true);
    return new Dynamic(node.leaf(q), scale, zeroPoint);
  }
}
