package org.relaxvm.interoponnx.operator.quantized;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Matrix products and convolutions of quantized operands. */
public final class QuantizedProducts {
  /** The version by which the convolution is read: nothing but dtypes changed since 11. */
  private static final long CONV_VERSION = 22;

  private QuantizedProducts() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("MatMulInteger", 10, QuantizedProducts::matMulInteger)
        .add("ConvInteger", 10, QuantizedProducts::convInteger)
        .add("QLinearMatMul", 10, QuantizedProducts::qLinearMatMul)
        .add("QLinearConv", 10, QuantizedProducts::qLinearConv)
        .add(OperatorTable.MICROSOFT, "DynamicQuantizeMatMul", QuantizedProducts::dynamicMatMul)
        .add(OperatorTable.MICROSOFT, "MatMulIntegerToFloat", QuantizedProducts::matMulToFloat)
        .add(OperatorTable.MICROSOFT, "QGemm", QuantizedProducts::qGemm);
  }

  // ---------------------------------------------------------------- matrices

  /** An operand with the axis that its parameters have: rows of the left, columns of the right. */
  private record Side(Expr x, int rank, int axis) {
    static Side left(NodeContext node, Expr x) {
      int rank = node.rank(x);
      return new Side(x, rank, Math.max(rank - 2, 0));
    }

    static Side right(NodeContext node, Expr x) {
      int rank = node.rank(x);
      return new Side(x, rank, rank - 1);
    }

    Expr placed(NodeContext node, Expr parameter) {
      return IntegerOperands.placed(node, parameter, rank, axis);
    }

    Expr integers(NodeContext node, Optional<Expr> zeroPoint) {
      return IntegerOperands.of(node, x, zeroPoint.map(zero -> placed(node, zero)));
    }
  }

  private static Expr product(
      NodeContext node, Side a, Optional<Expr> aZero, Side b, Optional<Expr> bZero) {
    return node.emit(Ops.matmul(a.integers(node, aZero), b.integers(node, bZero)));
  }

  private static List<Operand> matMulInteger(NodeContext node) {
    return node.result(
        product(
            node,
            Side.left(node, node.tensor(0)),
            QuantizationParameters.zeroPoint(node, 2),
            Side.right(node, node.tensor(1)),
            QuantizationParameters.zeroPoint(node, 3)));
  }

  private static List<Operand> qLinearMatMul(NodeContext node) {
    DType to = Dtypes.of(node, node.operand(7));
    DType scaleDType = node.dtype(node.tensor(1));
    if (!node.dtype(node.tensor(0)).isInteger() || !node.dtype(node.tensor(3)).isInteger()) {
      return qLinearMatMulOfFloats(node, to, scaleDType);
    }
    Side a = Side.left(node, node.tensor(0));
    Side b = Side.right(node, node.tensor(3));
    Expr product =
        product(
            node,
            a,
            QuantizationParameters.zeroPoint(node, 2),
            b,
            QuantizationParameters.zeroPoint(node, 5));
    Expr scale =
        Quantizing.binary(
            node, Ops::multiply, a.placed(node, scale(node, 1)), b.placed(node, scale(node, 4)));
    return List.of(requantized(node, product, scale, scale(node, 6), 7, to));
  }

  /** Floats of 8 bits have no zero points. */
  private static List<Operand> qLinearMatMulOfFloats(NodeContext node, DType to, DType scaleDType) {
    Side a = Side.left(node, Quantizing.as(node, node.tensor(0), DType.FLOAT32));
    Side b = Side.right(node, Quantizing.as(node, node.tensor(3), DType.FLOAT32));
    Expr product = node.emit(Ops.matmul(a.x, b.x));
    Expr scale =
        Quantizing.binary(
            node, Ops::multiply, a.placed(node, scale(node, 1)), b.placed(node, scale(node, 4)));
    Expr scaled =
        Quantizing.binary(
            node, Ops::multiply, product, node.emit(Ops.divide(scale, placedScale(node, 6))));
    return List.of(
        DTypeCasts.stored(
            node, Quantizing.as(node, scaled, scaleDType), to, DTypeCasts.Options.DEFAULT));
  }

  private static Expr placedScale(NodeContext node, int input) {
    return IntegerOperands.placed(node, scale(node, input), 1, 0);
  }

  /** A scale as float32. */
  private static Expr scale(NodeContext node, int input) {
    return Quantizing.as(node, node.tensor(input), DType.FLOAT32);
  }

  /** {@code saturate(round(product * scale / result scale) + zero point)}. */
  private static Operand requantized(
      NodeContext node, Expr product, Expr scale, Expr resultScale, int zeroPoint, DType to) {
    Expr quotient = node.emit(Ops.divide(scale, IntegerOperands.placed(node, resultScale, 1, 0)));
    Expr scaled =
        Quantizing.binary(
            node, Ops::multiply, Quantizing.as(node, product, DType.FLOAT32), quotient);
    Optional<Expr> zero =
        QuantizationParameters.zeroPoint(node, zeroPoint)
            .map(z -> IntegerOperands.placed(node, z, 1, 0));
    return Quantizing.saturated(node, scaled, zero, to);
  }

  // ---------------------------------------------------------------- convolutions

  private static List<Operand> convInteger(NodeContext node) {
    Expr x = node.tensor(0);
    Expr w = node.tensor(1);
    return List.of(
        convolution(
            node,
            IntegerOperands.of(node, x, scalarZero(node, 2)),
            IntegerOperands.of(node, w, ofChannels(node, w, 3))));
  }

  private static Operand convolution(NodeContext node, Expr x, Expr w) {
    return node.apply("Conv", CONV_VERSION, List.of(node.operandOf(x), node.operandOf(w)))
        .getFirst();
  }

  private static Optional<Expr> scalarZero(NodeContext node, int input) {
    return QuantizationParameters.zeroPoint(node, input)
        .map(zero -> IntegerOperands.placed(node, zero, 1, 0));
  }

  /** The zero points of weights: one, or one for each channel of the result. */
  private static Optional<Expr> ofChannels(NodeContext node, Expr w, int input) {
    return QuantizationParameters.zeroPoint(node, input)
        .map(zero -> IntegerOperands.placed(node, zero, node.rank(w), 0));
  }

  private static List<Operand> qLinearConv(NodeContext node) {
    Expr x = node.tensor(0);
    Expr w = node.tensor(3);
    Expr product =
        node.leaf(
            convolution(
                node,
                IntegerOperands.of(node, x, scalarZero(node, 2)),
                IntegerOperands.of(node, w, ofChannels(node, w, 5))));
    int channelRank = node.rank(w) - 1;
    Expr sum =
        node.optional(8)
            .map(
                bias ->
                    Quantizing.binary(node, Ops::add, product, channels(node, bias, channelRank)))
            .orElse(product);
    Expr scale =
        node.emit(
            Ops.multiply(
                placedScale(node, 1),
                IntegerOperands.placed(node, scale(node, 4), channelRank, 0)));
    DType to = node.has(7) ? Dtypes.of(node, node.operand(7)) : DType.UINT8;
    return List.of(requantized(node, sum, scale, scale(node, 6), 7, to));
  }

  /** A vector along the channels: {@code [c, 1, ...]}. */
  private static Expr channels(NodeContext node, Expr vector, int rank) {
    List<PrimExpr> shape = new ArrayList<>(Collections.nCopies(rank, IntImm.of(1)));
    shape.set(0, node.dims(vector).getFirst());
    return node.emit(Ops.reshape(vector, new ShapeExpr(shape)));
  }

  // ---------------------------------------------------------------- com.microsoft

  private static List<Operand> dynamicMatMul(NodeContext node) {
    LinearQuantization.Dynamic a = LinearQuantization.dynamic(node, node.tensor(0));
    Side left = Side.left(node, a.q());
    Side right = Side.right(node, node.tensor(1));
    Expr product =
        product(
            node,
            left,
            Optional.of(a.zeroPoint()),
            right,
            QuantizationParameters.zeroPoint(node, 3));
    Expr scale = node.emit(Ops.multiply(right.placed(node, scale(node, 2)), a.scale()));
    return node.result(scaled(node, product, scale, 4));
  }

  private static List<Operand> matMulToFloat(NodeContext node) {
    Expr result = toFloat(node, new FloatProduct(2, 3, 4, 5, 6));
    return node.result(Quantizing.as(node, result, node.dtype(node.tensor(2))));
  }

  /**
   * By number, where the inputs of a product of integers with a result of floats lie, whose
   * operands are the first two inputs. Zero points and bias may be absent.
   */
  public record FloatProduct(
      int leftScale, int rightScale, int leftZero, int rightZero, int bias) {}

  /** {@code (x - zero) @ (w - zero) * scales + bias} as float32. */
  public static Expr toFloat(NodeContext node, FloatProduct inputs) {
    Side left = Side.left(node, node.tensor(0));
    Side right = Side.right(node, node.tensor(1));
    Expr product =
        product(
            node,
            left,
            QuantizationParameters.zeroPoint(node, inputs.leftZero),
            right,
            QuantizationParameters.zeroPoint(node, inputs.rightZero));
    Expr scale =
        Quantizing.binary(
            node,
            Ops::multiply,
            left.placed(node, scale(node, inputs.leftScale)),
            right.placed(node, scale(node, inputs.rightScale)));
    return scaled(node, product, scale, inputs.bias);
  }

  /** {@code product * scale + bias} as float32. */
  private static Expr scaled(NodeContext node, Expr product, Expr scale, int bias) {
    Expr scaled =
        Quantizing.binary(node, Ops::multiply, Quantizing.as(node, product, DType.FLOAT32), scale);
    return node.has(bias)
        ? Quantizing.binary(
            node, Ops::add, scaled, Quantizing.as(node, node.tensor(bias), DType.FLOAT32))
        : scaled;
  }

  private static List<Operand> qGemm(NodeContext node) {
    Side a = Side.left(node, transposedIf(node, node.tensor(0), "transA"));
    Side b = Side.right(node, transposedIf(node, node.tensor(3), "transB"));
    Expr product =
        product(
            node,
            a,
            QuantizationParameters.zeroPoint(node, 2),
            b,
            QuantizationParameters.zeroPoint(node, 5));
    Expr sum =
        node.optional(6).map(c -> Quantizing.binary(node, Ops::add, product, c)).orElse(product);
    Expr scale =
        node.emit(
            Ops.multiply(
                placedScale(node, 1),
                node.emit(
                    Ops.multiply(
                        b.placed(node, scale(node, 4)),
                        Ops.scalar(DType.FLOAT32, node.attributes().real("alpha", 1))))));
    if (!node.has(7)) {
      return node.result(scaled(node, sum, scale, Integer.MAX_VALUE));
    }
    DType to = node.has(8) ? Dtypes.of(node, node.operand(8)) : node.dtype(node.tensor(0));
    return List.of(requantized(node, sum, scale, scale(node, 7), 8, to));
  }

  private static Expr transposedIf(NodeContext node, Expr x, String attribute) {
    return node.attributes().flag(attribute, false) ? node.emit(Ops.permuteDims(x, 1, 0)) : x;
  }
}
