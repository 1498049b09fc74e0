package org.relaxvm.interoponnx.operator.quantized;

import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.image.Quantization;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.quantized.DTypeCasts.Options;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.op.FloatCodeOps.Rounding;

/** Floats as numbers of few bits, and back. */
final class Quantizing {
  private Quantizing() {}

  // ---------------------------------------------------------------- quantize

  /**
   * {@code saturate(round(x / scale) + zero point)}.
   *
   * @param x numbers
   * @param scale numbers, where the parameters say
   * @param zeroPoint numbers, where the parameters say
   * @param precision of the quotient
   * @param to what dtype
   */
  static Operand quantize(
      NodeContext node,
      Expr x,
      Expr scale,
      Optional<Expr> zeroPoint,
      QuantizationParameters parameters,
      DType precision,
      DType to,
      boolean saturates) {
    Expr dividend = as(node, x, precision);
    Expr divisor = as(node, scale, precision);
    boolean isDirect =
        precision.equals(DType.FLOAT32)
            && to.isInteger()
            && to.bits() >= 8
            && to.bits() <= 32
            && parameters.isPlain(node, scale)
            && zeroPoint.map(zero -> parameters.isPlain(node, zero)).orElse(true);
    if (isDirect) {
      Expr zero = zeroPoint.map(z -> parameters.plain(node, z)).orElseGet(() -> node.scalar(to, 0));
      return node.operandOf(
          Quantization.quantize(
              dividend, parameters.plain(node, divisor), zero, parameters.axis(), to));
    }
    Expr quotient = binary(node, Ops::divide, dividend, parameters.placed(node, divisor));
    Optional<Expr> zero = zeroPoint.map(z -> parameters.placed(node, z));
    return to.isInteger()
        ? saturated(node, quotient, zero, to)
        : floats(node, quotient, zero, to, saturates);
  }

  /** Rounded numbers and a zero point in the range of integers. */
  static Operand saturated(NodeContext node, Expr numbers, Optional<Expr> zeroPoint, DType to) {
    DType wide =
        node.dtype(numbers).equals(DType.FLOAT64) || to.bits() > 16 ? DType.FLOAT64 : DType.FLOAT32;
    Expr rounded = as(node, node.emit(Functions.round(numbers)), wide);
    Expr moved =
        zeroPoint
            .map(zero -> binary(node, Ops::add, rounded, as(node, zero, wide)))
            .orElse(rounded);
    boolean isSigned = to.code() == TypeCode.INT;
    double low = isSigned ? -Math.scalb(1.0, to.bits() - 1) : 0;
    double high = Math.scalb(1.0, isSigned ? to.bits() - 1 : to.bits()) - 1;
    Expr bounded = node.emit(Ops.clip(moved, Ops.scalar(wide, low), Ops.scalar(wide, high)));
    DType bytes = to.bits() >= 8 ? to : isSigned ? DType.INT8 : DType.UINT8;
    return node.operandOf(as(node, bounded, bytes), to);
  }

  private static Operand floats(
      NodeContext node, Expr quotient, Optional<Expr> zeroPoint, DType to, boolean saturates) {
    DType dtype = node.dtype(quotient);
    Expr moved =
        zeroPoint
            .map(zero -> binary(node, Ops::add, quotient, as(node, zero, dtype)))
            .orElse(quotient);
    return DTypeCasts.stored(node, moved, to, new Options(saturates, Rounding.UP));
  }

  // ---------------------------------------------------------------- dequantize

  /**
   * {@code (x - zero point) * scale}.
   *
   * @param x numbers
   * @param scale numbers, where the parameters say
   * @param zeroPoint numbers, where the parameters say
   * @param to a dtype of floats
   */
  static Expr dequantize(
      NodeContext node,
      Expr x,
      Expr scale,
      Optional<Expr> zeroPoint,
      QuantizationParameters parameters,
      DType to) {
    DType dtype = node.dtype(x);
    boolean isDirect =
        dtype.isInteger()
            && parameters.isPlain(node, scale)
            && zeroPoint.map(zero -> parameters.isPlain(node, zero)).orElse(true);
    if (isDirect) {
      Expr zero =
          zeroPoint.map(z -> parameters.plain(node, z)).orElseGet(() -> node.scalar(dtype, 0));
      return node.emit(
          Quantization.dequantize(x, parameters.plain(node, scale), zero, parameters.axis(), to));
    }
    DType apart = dtype.isInteger() ? DType.INT32 : DType.FLOAT32;
    Expr wide = as(node, x, apart);
    Expr moved =
        zeroPoint
            .map(
                zero ->
                    binary(
                        node, Ops::subtract, wide, as(node, parameters.placed(node, zero), apart)))
            .orElse(wide);
    DType product = to.equals(DType.FLOAT64) ? DType.FLOAT64 : DType.FLOAT32;
    Expr scaled =
        binary(
            node,
            Ops::multiply,
            as(node, moved, product),
            parameters.placed(node, as(node, scale, product)));
    return as(node, scaled, to);
  }

  /** An operator of two operands that broadcast. */
  static Expr binary(NodeContext node, BinaryOperator<Expr> operator, Expr a, Expr b) {
    List<Expr> operands = node.broadcast(List.of(a, b));
    return node.emit(operator.apply(operands.get(0), operands.get(1)));
  }

  static Expr as(NodeContext node, Expr numbers, DType dtype) {
    return node.dtype(numbers).equals(dtype) ? numbers : node.emit(Ops.astype(numbers, dtype));
  }
}
