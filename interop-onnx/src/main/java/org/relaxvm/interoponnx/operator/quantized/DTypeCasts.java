package org.relaxvm.interoponnx.operator.quantized;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;
import org.relaxvm.api.TypeCode;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Logic;
import org.relaxvm.compiler.op.lowbit.FloatCodes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.op.FloatCode;
import org.relaxvm.tir.op.FloatCodeOps.Rounding;

/** Elements of any dtype as any other, as Cast does it. */
public final class DTypeCasts {
  private DTypeCasts() {}

  /**
   * How numbers that a format does not have become one that it has.
   *
   * @param saturates whether floats of 8 bits are never infinite, and NaN only where they were
   * @param ofPowers to powers of two
   */
  public record Options(boolean saturates, Rounding ofPowers) {
    /** What Cast does without attributes. */
    public static final Options DEFAULT = new Options(true, Rounding.UP);

    /** What the attributes of a node say. */
    public static Options of(NodeContext node) {
      String mode = node.attributes().string("round_mode", "up");
      Rounding rounding =
          switch (mode) {
            case "up" -> Rounding.UP;
            case "down" -> Rounding.DOWN;
            case "nearest" -> Rounding.NEAREST;
            default ->
                throw node.unsupported(
                    "round_mode is '" + mode + "'; expected up, down or nearest", "");
          };
      return new Options(node.attributes().flag("saturate", true), rounding);
    }
  }

  /** An operand as another dtype. */
  public static Operand cast(NodeContext node, Operand x, DType to, Options options) {
    Optional<DType> from = node.typeOf(x).dtype();
    if (from.isPresent() && from.get().equals(to)) {
      return x;
    }
    return stored(node, numbers(node, x), to, options);
  }

  /** A leaf of numbers that kernels compute with: codes as float32, all else as it is. */
  public static Expr numbers(NodeContext node, Operand x) {
    Expr bytes = node.bytes(x);
    Optional<FloatCode> format = node.lowBit(x).flatMap(FloatCode::of);
    if (format.isEmpty()) {
      return bytes;
    }
    Expr index = node.emit(Ops.astype(bytes, DType.INT32));
    return node.emit(Ops.take(FloatCodes.numbers(format.get()), index, 0));
  }

  /** Numbers that kernels compute with as an operand of any dtype. */
  public static Operand stored(NodeContext node, Expr numbers, DType to, Options options) {
    Optional<FloatCode> format = FloatCode.of(to);
    if (format.isPresent()) {
      return node.operandOf(
          FloatCodes.encode(
              as(node, numbers, DType.FLOAT32), to, options.saturates, options.ofPowers),
          to);
    }
    if (to.isInteger() && to.bits() < 8) {
      return node.operandOf(lowBits(node, numbers, to), to);
    }
    Expr bounded = to.isFloat8() && options.saturates ? bounded(node, numbers, to) : numbers;
    return node.operandOf(as(node, bounded, to));
  }

  /** The low bits of an integer, or of the integer part of a float. */
  private static Expr lowBits(NodeContext node, Expr numbers, DType to) {
    DType dtype = node.dtype(numbers);
    Expr integers = dtype.isInteger() ? numbers : as(node, numbers, DType.INT32);
    DType bytes = to.code() == TypeCode.INT ? DType.INT8 : DType.UINT8;
    Expr low =
        node.emit(
            Logic.bitwiseAnd(as(node, integers, bytes), node.scalar(bytes, (1 << to.bits()) - 1)));
    if (to.code() == TypeCode.UINT) {
      return low;
    }
    Expr sign = node.scalar(bytes, 1 << (to.bits() - 1));
    return node.emit(Ops.subtract(node.emit(Logic.bitwiseXor(low, sign)), sign));
  }

  /** Numbers no larger than a format has; NaN stays. */
  private static Expr bounded(NodeContext node, Expr numbers, DType to) {
    DType dtype = node.dtype(numbers);
    boolean isWide = dtype.isFloat() && !dtype.isFloat8();
    Expr wide = isWide ? numbers : as(node, numbers, DType.FLOAT32);
    DType wideDType = isWide ? dtype : DType.FLOAT32;
    double largest = largest(to);
    return node.emit(
        Ops.clip(wide, Ops.scalar(wideDType, -largest), Ops.scalar(wideDType, largest)));
  }

  /** The largest number of a format that kernels compute with. */
  private static double largest(DType float8) {
    Float8 format = Float8.of(float8).orElseThrow();
    return format.toFloat((byte) (format == Float8.E4M3FN ? 0x7E : 0x7B));
  }

  private static Expr as(NodeContext node, Expr numbers, DType dtype) {
    return node.dtype(numbers).equals(dtype) ? numbers : node.emit(Ops.astype(numbers, dtype));
  }
}
