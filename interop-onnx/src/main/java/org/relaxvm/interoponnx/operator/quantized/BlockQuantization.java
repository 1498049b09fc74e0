package org.relaxvm.interoponnx.operator.quantized;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.lowbit.BlockQuantized;
import org.relaxvm.compiler.op.lowbit.PackedElements;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;

/** Weights of language models that are quantized in blocks. */
public final class BlockQuantization {
  private static final long BLOCK_SIZE = 128;

  private BlockQuantization() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add(OperatorTable.MICROSOFT, "MatMulNBits", BlockQuantization::matMul)
        .add(OperatorTable.MICROSOFT, "GatherBlockQuantized", BlockQuantization::gather);
  }

  // ---------------------------------------------------------------- MatMulNBits

  private static List<Operand> matMul(NodeContext node) {
    long k = node.attributes().requiredInteger("K");
    long n = node.attributes().requiredInteger("N");
    long bits = node.attributes().integer("bits", 4);
    long size = node.attributes().requiredInteger("block_size");
    if (bits != 2 && bits != 4 && bits != 8) {
      throw node.unsupported("bits is " + bits + "; supported are 2, 4 and 8", "");
    }
    if (k < 0 || n < 0 || size < 1 || size * bits % 8 != 0) {
      throw node.unsupported(
          "K is "
              + k
              + ", N is "
              + n
              + ", block_size is "
              + size
              + "; expected 0 or more, and blocks of whole bytes",
          "");
    }
    requireOrder(node, size);
    long blocks = Math.ceilDiv(k, size);
    Expr q = node.emit(Ops.reshape(node.tensor(1), n, blocks, size * bits / 8));
    Expr scales = node.emit(Ops.reshape(node.tensor(2), n, blocks));
    Optional<Expr> zeroPoints =
        node.optional(3)
            .map(
                zero ->
                    node.emit(
                        Ops.reshape(
                            zero,
                            n,
                            node.dtype(zero).isFloat() ? blocks : Math.ceilDiv(blocks * bits, 8))));
    Expr product =
        node.emit(BlockQuantized.matmul(node.tensor(0), q, scales, zeroPoints, (int) bits, size));
    return node.result(node.optional(5).<Expr>map(bias -> Ops.add(product, bias)).orElse(product));
  }

  /** An order of groups is deprecated; the natural one may be given. */
  private static void requireOrder(NodeContext node, long size) {
    if (!node.has(4) || !(node.tensor(4) instanceof Constant groups)) {
      return;
    }
    long[] order = groups.data().toLongArray();
    for (int at = 0; at < order.length; at++) {
      if (order[at] != at / size) {
        throw node.unsupported(
            "g_idx gives element " + at + " the block " + order[at] + "; blocks must be in order",
            "export the model without act-order");
      }
    }
  }

  // ---------------------------------------------------------------- GatherBlockQuantized

  private static List<Operand> gather(NodeContext node) {
    Operand data = node.operand(0);
    Optional<DType> lowBit = node.lowBit(data);
    int bits = lowBit.map(DType::bits).orElseGet(() -> (int) node.attributes().integer("bits", 4));
    if (bits != 2 && bits != 4 && bits != 8) {
      throw node.unsupported("bits is " + bits + "; supported are 2, 4 and 8", "");
    }
    int rank = node.typeOf(data).ndim();
    int gatherAxis = node.axis(node.attributes().integer("gather_axis", 0), rank);
    int quantizeAxis = node.axis(node.attributes().integer("quantize_axis", 1), rank);
    if (gatherAxis == quantizeAxis) {
      throw node.unsupported(
          "gather_axis and quantize_axis are both " + gatherAxis + "; expected two axes", "");
    }
    boolean isSigned = lowBit.filter(dtype -> dtype.code() == TypeCode.INT).isPresent();
    Rows rows = new Rows(node, node.tensor(1), gatherAxis, bits, isSigned);
    Expr q = rows.of(data);
    Expr scales = rows.taken(node.tensor(2));
    int indexRank = node.rank(rows.indices);
    int moved = quantizeAxis < gatherAxis ? quantizeAxis : quantizeAxis + indexRank - 1;
    QuantizationParameters parameters =
        new QuantizationParameters(
            node.dims(q), moved, node.attributes().integer("block_size", BLOCK_SIZE));
    return node.result(
        Quantizing.dequantize(
            node,
            q,
            scales,
            zeroPoints(node, rows, scales, lowBit.isPresent()),
            parameters,
            node.dtype(scales)));
  }

  /** Without zero points, those of packed bytes are half of the range, and of others 0. */
  private static Optional<Expr> zeroPoints(
      NodeContext node, Rows rows, Expr scales, boolean isLowBit) {
    if (node.has(3)) {
      return Optional.of(rows.first(rows.of(node.operand(3)), node.dims(scales).getLast()));
    }
    return isLowBit
        ? Optional.empty()
        : Optional.of(node.scalar(DType.UINT8, 1L << (rows.bits - 1)));
  }

  /** Rows of packed tensors: only those that are wanted are unpacked, where rows are bytes. */
  private record Rows(NodeContext node, Expr indices, int gatherAxis, int bits, boolean isSigned) {
    Expr taken(Expr x) {
      return node.emit(Ops.take(x, indices, gatherAxis));
    }

    /** One byte for each element. */
    Expr of(Operand data) {
      if (node.lowBit(data).isPresent()) {
        TensorType type = node.typeOf(data);
        List<PrimExpr> dims = type.dims().orElseThrow();
        boolean isWhole =
            gatherAxis < dims.size() - 1
                && dims.getLast() instanceof IntImm extent
                && extent.value() * bits % 8 == 0;
        return isWhole ? unpacked(taken(packed(node.leaf(data), dims))) : taken(node.bytes(data));
      }
      Expr stored = node.leaf(data);
      boolean isLast = gatherAxis == node.rank(stored) - 1;
      return bits == 8 ? taken(stored) : isLast ? taken(unpacked(stored)) : unpacked(taken(stored));
    }

    /** The bytes of a tensor of elements of less than 8 bits. */
    private Expr packed(Expr leaf, List<PrimExpr> dims) {
      long last = ((IntImm) dims.getLast()).value();
      List<PrimExpr> bytes = AxisLists.with(dims, dims.size() - 1, IntImm.of(last * bits / 8));
      return node.emit(
          Call.of(
              MemoryOps.VIEW,
              leaf,
              new ShapeExpr(bytes),
              new DataTypeImm(DType.UINT8),
              Tuple.EMPTY));
    }

    private Expr unpacked(Expr packed) {
      List<PrimExpr> dims = node.dims(packed);
      PrimExpr bytes = node.analyzer().simplify(Exprs.product(dims));
      PrimExpr extent = node.analyzer().simplify(Exprs.mul(dims.getLast(), 8 / bits));
      Expr flat = node.emit(Ops.reshape(packed, new ShapeExpr(List.of(bytes))));
      return node.emit(
          PackedElements.unpack(
              flat, new ShapeExpr(AxisLists.with(dims, dims.size() - 1, extent)), bits, isSigned));
    }

    /** So many elements along the last axis: the last byte may have more. */
    Expr first(Expr all, PrimExpr count) {
      PrimExpr extent = node.dims(all).getLast();
      if (count.equals(extent)) {
        return all;
      }
      if (!(count instanceof IntImm known)) {
        throw node.unsupported(
            "the number of blocks is only known at run time",
            "give the inputs of the model shapes (--shape)");
      }
      long axis = node.rank(all) - 1L;
      return node.emit(Ops.stridedSlice(all, List.of(axis), List.of(0L), List.of(known.value())));
    }
  }
}
