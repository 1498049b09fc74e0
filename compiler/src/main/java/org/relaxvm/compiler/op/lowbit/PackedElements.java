package org.relaxvm.compiler.op.lowbit;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.op.PackedOps;

/** Elements of 1, 2 or 4 bits in bytes, and one byte for each. */
public final class PackedElements {
  /** {@code (x, shape)}: one byte for each element of uint8 on one axis. */
  public static final OpDef UNPACK_BITS =
      OpDef.named("unpack_bits")
          .args("x", "shape")
          .attrs(AttrSpec.required("bits", Kind.INTEGER), AttrSpec.of("signed", Kind.BOOL, false))
          .rule(PackedElements::unpacked)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "unpack_bits",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              PackedOps.unpack(
                                  k,
                                  "T_unpack",
                                  in.tensor(0),
                                  in.shape(1),
                                  bits(call),
                                  isSigned(call)))))
          .build();

  /** The low bits of int8 or uint8, packed: uint8 on one axis. */
  public static final OpDef PACK_BITS =
      OpDef.named("pack_bits")
          .args("x")
          .attrs(AttrSpec.required("bits", Kind.INTEGER))
          .rule(PackedElements::packed)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "pack_bits",
                      call,
                      KernelBody.one(
                          (k, in) -> PackedOps.pack(k, "T_pack", in.tensor(0), bits(call)))))
          .build();

  private PackedElements() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(UNPACK_BITS, PACK_BITS);
  }

  /**
   * One byte for each element.
   *
   * @param x uint8 on one axis
   * @param shape of the elements
   * @param bits of an element: 1, 2 or 4
   * @param isSigned whether the result is int8 with the sign of the highest bit, or uint8
   */
  public static Call unpack(Expr x, Expr shape, int bits, boolean isSigned) {
    return Call.of(UNPACK_BITS, List.of(x, shape), Attrs.of("bits", bits).with("signed", isSigned));
  }

  /**
   * The low bits of elements, packed.
   *
   * @param x int8 or uint8
   * @param bits of an element: 1, 2 or 4
   */
  public static Call pack(Expr x, int bits) {
    return Call.of(PACK_BITS, List.of(x), Attrs.of("bits", bits));
  }

  private static int bits(OpCall call) {
    long bits = call.attrs().integer("bits").orElseThrow();
    if (bits != 1 && bits != 2 && bits != 4) {
      throw call.error("bits must be 1, 2 or 4, but is " + bits);
    }
    return (int) bits;
  }

  private static boolean isSigned(OpCall call) {
    return call.attrs().bool("signed").orElseThrow();
  }

  private static Type unpacked(OpCall call) {
    ElementTypes.require(call, 0, DType.UINT8::equals, "a tensor of uint8");
    TensorType x = Ranks.require(call, 0, 1);
    DType dtype = isSigned(call) ? DType.INT8 : DType.UINT8;
    int bits = bits(call);
    TensorType result = x.withDType(Optional.of(dtype)).withRank(call.shape(1).ndim());
    if (call.dims(1).isEmpty()) {
      return result;
    }
    if (x.dims().isPresent()) {
      Extents.requireSame(
          call,
          x.dims().get().getFirst(),
          PackedOps.byteCount(Exprs.product(call.dims(1).get()), bits),
          "the number of bytes and that of elements of " + bits + " bits");
    }
    return result.withDims(call.dims(1).get());
  }

  private static Type packed(OpCall call) {
    ElementTypes.require(
        call,
        0,
        dtype -> dtype.equals(DType.INT8) || dtype.equals(DType.UINT8),
        "a tensor of int8 or uint8");
    int bits = bits(call);
    TensorType x = call.tensor(0);
    TensorType result = x.withDType(Optional.of(DType.UINT8)).withRank(1);
    return x.dims()
        .<Type>map(
            dims ->
                result.withDims(
                    Extents.simplify(
                        call, List.of(PackedOps.byteCount(Exprs.product(dims), bits)))))
        .orElse(result);
  }
}
