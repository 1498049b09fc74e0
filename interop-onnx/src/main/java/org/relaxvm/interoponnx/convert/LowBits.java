package org.relaxvm.interoponnx.convert;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.lowbit.PackedElements;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.FloatCode;
import org.relaxvm.tir.op.PackedOps;

/**
 * Tensors of dtypes that kernels do not compute with. Inputs, outputs and constants of a program
 * have these dtypes, and as many bits; between them there is one byte for each element.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why does the kernel IR have no dtypes of less than 8 bits?"
 */
final class LowBits {
  /** Constants of so many elements are unpacked at once; larger ones by the program. */
  private static final long SMALL = 1024;

  /** Operators of {@code ai.onnx} that move elements whatever they are. */
  private static final Set<String> MOVING =
      Set.of(
          "CenterCropPad",
          "Compress",
          "Concat",
          "DepthToSpace",
          "Expand",
          "Flatten",
          "Gather",
          "GatherElements",
          "GatherND",
          "Identity",
          "Pad",
          "Reshape",
          "ReverseSequence",
          "ScatterElements",
          "ScatterND",
          "Slice",
          "SpaceToDepth",
          "Split",
          "Squeeze",
          "Tile",
          "Transpose",
          "Unsqueeze",
          "Where");

  /** Operators that take such operands as they are, in any domain. */
  private static final Set<String> TAKING =
      Set.of(
          "BitCast",
          "Cast",
          "CastLike",
          "ConcatFromSequence",
          "DequantizeLinear",
          "GatherBlockQuantized",
          "If",
          "Loop",
          "MatMulNBits",
          "Optional",
          "OptionalGetElement",
          "OptionalHasElement",
          "QuantizeLinear",
          "Scan",
          "SequenceAt",
          "SequenceConstruct",
          "SequenceErase",
          "SequenceInsert",
          "SequenceLength",
          "SequenceMap",
          "Shape",
          "Size",
          "SplitToSequence");

  private final Tensors tensors;
  private final GraphImporter importer;

  LowBits(Tensors tensors, GraphImporter importer) {
    this.tensors = tensors;
    this.importer = importer;
  }

  /** Whether kernels do not compute with a dtype. */
  static boolean isOne(DType dtype) {
    return (dtype.isInteger() && dtype.bits() < 8) || FloatCode.of(dtype).isPresent();
  }

  /** The dtype of the bytes of a dtype. */
  static DType bytesOf(DType dtype) {
    return dtype.code() == TypeCode.INT ? DType.INT8 : DType.UINT8;
  }

  // ---------------------------------------------------------------- nodes

  /** Translates a node, some of whose operands may be of such dtypes. */
  static List<Operand> translated(OperatorTable.Entry operator, NodeContext node) {
    Optional<DType> dtype = Optional.empty();
    for (int i = 0; i < node.inputs() && dtype.isEmpty(); i++) {
      dtype = node.has(i) ? node.lowBit(node.operand(i)) : Optional.empty();
    }
    if (dtype.isEmpty() || TAKING.contains(operator.name())) {
      return plain(operator, node);
    }
    if (!isMoving(operator)) {
      throw node.unsupported(
          "an input is of dtype " + dtype.get() + ", with which the operator does not compute",
          "insert a Cast or a DequantizeLinear before it");
    }
    DType stored = dtype.get();
    return plain(operator, node.ofBytes()).stream()
        .map(result -> tagged(node, result, stored))
        .toList();
  }

  /** Whether an operator takes operands of such dtypes. */
  static boolean accepts(OperatorTable.Entry operator) {
    return TAKING.contains(operator.name()) || isMoving(operator);
  }

  private static boolean isMoving(OperatorTable.Entry operator) {
    return operator.domain().isEmpty() && MOVING.contains(operator.name());
  }

  private static List<Operand> plain(OperatorTable.Entry operator, NodeContext node) {
    OperatorTable.Fold fold = operator.fold();
    if (fold != null) {
      Optional<Operand> known = fold.fold(node);
      if (known.isPresent() && isSmall(known.get())) {
        return List.of(known.get());
      }
    }
    return operator.converter().convert(node);
  }

  private static boolean isSmall(Operand operand) {
    return !(operand instanceof Known known) || Known.isSmall(known.shape());
  }

  private static Operand tagged(NodeContext node, Operand result, DType dtype) {
    return new Operand.LowBit(node.leaf(result), dtype);
  }

  // ---------------------------------------------------------------- representations

  /** The dtype of an operand, if kernels do not compute with it. */
  Optional<DType> dtype(Operand operand) {
    return switch (operand) {
      case Operand.LowBit(Expr bytes, DType dtype) -> Optional.of(dtype);
      case Operand.Weight weight -> Optional.of(weight.dtype()).filter(LowBits::isOne);
      case Operand.Computed(Expr expr, TensorType type) -> type.dtype().filter(LowBits::isOne);
      case Operand.Maybe(Optional<Operand> value) -> value.flatMap(this::dtype);
      default -> Optional.empty();
    };
  }

  /** A leaf with one byte for each element of such an operand; another operand as it is. */
  Expr bytes(Operand operand) {
    if (operand instanceof Operand.LowBit(Expr bytes, DType dtype)) {
      return bytes;
    }
    Optional<DType> dtype = dtype(operand);
    Expr leaf = tensors.leaf(operand);
    return dtype.map(stored -> unpacked(leaf, stored)).orElse(leaf);
  }

  private Expr unpacked(Expr leaf, DType dtype) {
    if (leaf instanceof Constant constant) {
      return unpacked(constant.data());
    }
    List<PrimExpr> dims = tensors.dims(leaf);
    boolean isPacked = dtype.bits() < 8;
    Expr shape = isPacked ? new ShapeExpr(List.of(byteCount(dims, dtype))) : Tuple.EMPTY;
    Expr bytes = importer.emit(view(leaf, shape, DType.UINT8), "bytes");
    return isPacked ? fields(bytes, dims, dtype) : bytes;
  }

  private Expr unpacked(Tensor data) {
    DType dtype = data.dtype();
    Shape shape = data.shape();
    if (dtype.bits() == 8) {
      return new Constant(data.reinterpret(shape, DType.UINT8));
    }
    if (shape.elementCount() <= SMALL) {
      return new Constant(Tensor.of(fields(data), bytesOf(dtype), shape));
    }
    Shape packed = Shape.of(data.byteSize());
    Expr bytes = new Constant(data.reinterpret(packed, DType.UINT8));
    return fields(bytes, Tensors.fixed(shape), dtype);
  }

  private Expr fields(Expr bytes, List<PrimExpr> dims, DType dtype) {
    boolean isSigned = dtype.code() == TypeCode.INT;
    return importer.emit(
        PackedElements.unpack(bytes, new ShapeExpr(dims), dtype.bits(), isSigned), "unpacked");
  }

  private static byte[] fields(Tensor data) {
    MemorySegment packed = data.segment();
    int bits = data.dtype().bits();
    boolean isSigned = data.dtype().code() == TypeCode.INT;
    byte[] elements = new byte[(int) data.elementCount()];
    for (int i = 0; i < elements.length; i++) {
      int field = packed.get(JAVA_BYTE, (long) i * bits / 8) >> i * bits % 8 & (1 << bits) - 1;
      int sign = isSigned ? 1 << (bits - 1) : 0;
      elements[i] = (byte) ((field ^ sign) - sign);
    }
    return elements;
  }

  /** A tensor of the dtype itself. */
  Expr packed(Operand.LowBit lowBit) {
    DType dtype = lowBit.dtype();
    List<PrimExpr> dims = tensors.dims(lowBit.bytes());
    Expr bytes =
        dtype.bits() < 8
            ? importer.emit(PackedElements.pack(lowBit.bytes(), dtype.bits()), "packed")
            : lowBit.bytes();
    return importer.emit(view(bytes, new ShapeExpr(dims), dtype), "packed");
  }

  private PrimExpr byteCount(List<PrimExpr> dims, DType dtype) {
    return importer
        .model
        .builder
        .analyzer()
        .simplify(PackedOps.byteCount(Exprs.product(dims), dtype.bits()));
  }

  /** The same memory as another dtype. */
  static Call view(Expr x, Expr shape, DType dtype) {
    return Call.of(MemoryOps.VIEW, x, shape, new DataTypeImm(dtype), Tuple.EMPTY);
  }
}
