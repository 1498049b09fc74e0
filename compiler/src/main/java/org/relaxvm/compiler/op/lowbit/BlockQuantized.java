package org.relaxvm.compiler.op.lowbit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.nn.Padding;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.BlockQuantizedOps;

/** Products with matrices whose rows are quantized in blocks. */
public final class BlockQuantized {
  /**
   * {@code x @ w^T} with {@code w[n, k] = (q[n, k] - zero point) * scale}: {@code (x [..., k], q
   * [n, blocks, bytes of a block] of uint8, scales [n, blocks], zero points)}. Zero points are
   * uint8 {@code [n, bytes]}, packed as {@code q}, or floats {@code [n, blocks]}; without them they
   * are half of the range.
   */
  public static final OpDef MATMUL_NBITS =
      OpDef.named("matmul_nbits")
          .args("x", "q", "scales")
          .optionalArgs("zero_points")
          .attrs(
              AttrSpec.required("bits", Kind.INTEGER),
              AttrSpec.required("block_size", Kind.INTEGER))
          .rule(BlockQuantized::type)
          .legalizer(BlockQuantized::legalize)
          .build();

  /** From so many rows on, unpacking weights for each of them takes longer than the products. */
  private static final long MANY_ROWS = 8;

  private BlockQuantized() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(MATMUL_NBITS);
  }

  /**
   * The product with a quantized matrix.
   *
   * @param x floats {@code [..., k]}
   * @param q uint8 {@code [n, blocks, bytes of a block]}
   * @param scales floats {@code [n, blocks]}
   * @param zeroPoints uint8 {@code [n, bytes]} or floats {@code [n, blocks]}
   * @param bits of an element: 2, 4 or 8
   */
  public static Call matmul(
      Expr x, Expr q, Expr scales, Optional<Expr> zeroPoints, int bits, long blockSize) {
    List<Expr> args = new ArrayList<>(List.of(x, q, scales));
    zeroPoints.ifPresent(args::add);
    return Call.of(MATMUL_NBITS, args, Attrs.of("bits", bits).with("block_size", blockSize));
  }

  private static long bits(OpCall call) {
    long bits = call.attrs().integer("bits").orElseThrow();
    if (bits != 2 && bits != 4 && bits != 8) {
      throw call.error("bits must be 2, 4 or 8, but is " + bits);
    }
    return bits;
  }

  private static long blockSize(OpCall call) {
    long size = call.attrs().integer("block_size").orElseThrow();
    if (size < 1 || size * bits(call) % 8 != 0) {
      throw call.error("block_size must fill whole bytes, but is " + size);
    }
    return size;
  }

  private static Type type(OpCall call) {
    TensorType x = Ranks.atLeast(call, 0, 1);
    ElementTypes.floats(call, 0);
    TensorType q = Ranks.require(call, 1, 3);
    ElementTypes.require(call, 1, DType.UINT8::equals, "a tensor of uint8");
    TensorType scales = Ranks.require(call, 2, 2);
    ElementTypes.floats(call, 2);
    if (call.size() > 3) {
      Ranks.require(call, 3, 2);
      ElementTypes.require(
          call,
          3,
          dtype -> dtype.equals(DType.UINT8) || ElementTypes.isFloat(dtype),
          "a tensor of uint8 or floats");
    }
    TensorType result = x.withVDevice(CommonDevice.same(call, Operand.all(call, 0, 1, 2)));
    if (x.dims().isEmpty() || q.dims().isEmpty()) {
      return result.withRank(x.ndim());
    }
    List<PrimExpr> packed = q.dims().get();
    PrimExpr inner = x.dims().get().getLast();
    long size = blockSize(call);
    PrimExpr blocks = Exprs.ceilDiv(inner, IntImm.of(size));
    Extents.requireSame(
        call,
        packed.get(1),
        Extents.simplify(call, List.of(blocks)).getFirst(),
        "blocks of q and x");
    Extents.requireSame(
        call, packed.get(2), IntImm.of(size * bits(call) / 8), "the last axis of q and a block");
    if (scales.dims().isPresent()) {
      Extents.requireSame(
          call, scales.dims().get().get(0), packed.get(0), "axis 0 of scales and q");
      Extents.requireSame(
          call, scales.dims().get().get(1), packed.get(1), "axis 1 of scales and q");
    }
    List<PrimExpr> dims = new ArrayList<>(x.dims().get());
    dims.set(dims.size() - 1, packed.getFirst());
    return result.withDims(dims);
  }

  // ---------------------------------------------------------------- kernels

  private static Expr legalize(OpCall call, KernelCalls kernels) {
    List<PrimExpr> rows = call.tensor(0).dims().orElseThrow();
    PrimExpr count = call.analyzer().simplify(Exprs.product(rows.subList(0, rows.size() - 1)));
    return count instanceof IntImm known && known.value() >= MANY_ROWS
        ? ofMany(call, kernels)
        : fused(call, kernels);
  }

  /** Weights are unpacked where they are used. */
  private static Expr fused(OpCall call, KernelCalls kernels) {
    List<Expr> args = new ArrayList<>(call.call().args());
    args.set(0, byPosition(call, kernels));
    return kernels.call(
        "matmul_nbits",
        args,
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                BlockQuantizedOps.matmul(
                    k,
                    "T_matmul_nbits",
                    in.tensor(0),
                    in.tensor(1),
                    in.tensor(2),
                    in.size() > 3 ? in.tensor(3) : null,
                    (int) bits(call))));
  }

  /** The left operand as {@code [..., blocks, elements of a byte, bytes of a block]}. */
  private static Expr byPosition(OpCall call, KernelCalls kernels) {
    TensorType x = call.tensor(0);
    int rank = x.ndim() - 1;
    List<PrimExpr> rows = x.dims().orElseThrow().subList(0, rank);
    PrimExpr inner = x.dims().orElseThrow().getLast();
    List<PrimExpr> packed = call.tensor(1).dims().orElseThrow();
    long perByte = 8 / bits(call);
    PrimExpr whole = call.analyzer().simplify(Exprs.mul(packed.get(1), blockSize(call)));
    Expr padded = call.arg(0);
    if (!whole.equals(inner)) {
      List<Long> widths = new ArrayList<>(Collections.nCopies(2 * rank + 1, 0L));
      PrimExpr missing = call.analyzer().simplify(Exprs.sub(whole, inner));
      if (!(missing instanceof IntImm known)) {
        throw call.error("the last extent of x must be known, or a multiple of block_size");
      }
      widths.add(known.value());
      padded = kernels.emit(Padding.pad(padded, widths, 0));
    }
    List<PrimExpr> parts =
        AxisLists.joined(rows, List.of(packed.get(1), packed.get(2), IntImm.of(perByte)));
    Expr split = kernels.emit(Reshapes.reshape(padded, new ShapeExpr(parts)));
    List<Integer> order = new ArrayList<>(IntStream.range(0, rank + 1).boxed().toList());
    order.addAll(List.of(rank + 2, rank + 1));
    return kernels.emit(Orders.permuteDims(split, order.toArray(new Integer[0])));
  }

  /** Weights are unpacked once for all rows. */
  private static Expr ofMany(OpCall call, KernelCalls kernels) {
    PrimExpr inner = call.tensor(0).dims().orElseThrow().getLast();
    PrimExpr columns = call.tensor(1).dims().orElseThrow().getFirst();
    DType dtype = call.tensor(0).dtype().orElseThrow();
    List<Expr> args = call.call().args();
    Expr weights =
        kernels.emit(
            kernels.call(
                "columns_nbits",
                args.subList(1, args.size()),
                TensorType.of(dtype, List.of(inner, columns)),
                KernelBody.one(
                    (k, in) ->
                        BlockQuantizedOps.columns(
                            k,
                            "T_columns",
                            in.tensor(0),
                            in.tensor(1),
                            in.size() > 2 ? in.tensor(2) : null,
                            (int) bits(call),
                            in.of(inner),
                            dtype))));
    return Linear.matmul(call.arg(0), weights);
  }
}
