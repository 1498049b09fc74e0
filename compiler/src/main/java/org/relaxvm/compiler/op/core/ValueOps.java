package org.relaxvm.compiler.op.core;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Shapes as values, device copies, printing and assertions. Source: docs/spec/relax-ir.md, section
 * 6.2.
 */
public final class ValueOps {
  /** No value. */
  public static final OpDef NULL_VALUE =
      OpDef.named("null_value").rule(call -> AnyType.ANY).build();

  /** Prints values by a format. */
  public static final OpDef PRINT =
      OpDef.named("print")
          .args("format")
          .variadic()
          .impure()
          .withoutArgShapes()
          .rule(call -> TupleType.VOID)
          .packed("relax.run.print")
          .build();

  /** Stops the program unless a condition holds. */
  public static final OpDef ASSERT =
      OpDef.named("assert_op")
          .args("condition")
          .optionalArgs("format")
          .variadic()
          .impure()
          .withoutArgShapes()
          .rule(ValueOps::assertion)
          .packed("relax.run.assert_op")
          .build();

  /** The shape of a tensor. */
  public static final OpDef SHAPE_OF =
      OpDef.named("shape_of").args("x").rule(ValueOps::shapeOf).build();

  /** A shape from a tensor of integers. */
  public static final OpDef TENSOR_TO_SHAPE =
      OpDef.named("tensor_to_shape").args("x").rule(ValueOps::tensorToShape).build();

  /** A tensor of the extents of a shape. */
  public static final OpDef SHAPE_TO_TENSOR =
      OpDef.named("shape_to_tensor")
          .args("shape")
          .rule(ValueOps::shapeToTensor)
          .packed("relax.run.shape_to_tensor")
          .withoutArgShapes()
          .build();

  /** The number of elements of a tensor. */
  public static final OpDef SIZE =
      OpDef.named("size")
          .args("x")
          .rule(
              call -> {
                call.tensor(0);
                return TensorType.of(DType.INT64);
              })
          .legalizer(ValueOps::count)
          .build();

  /** The same tensor on another device. */
  public static final OpDef TO_VDEVICE =
      OpDef.named("to_vdevice")
          .args("x")
          .attrs(AttrSpec.required("dst_vdevice", Kind.TEXT))
          .rule(ValueOps::onDevice)
          .build();

  /** A wish where a tensor lies. Compiled programs leave it where it is. */
  public static final OpDef HINT_ON_DEVICE =
      OpDef.named("hint_on_device")
          .args("x")
          .attrs(AttrSpec.required("dst_vdevice", Kind.TEXT))
          .rule(ValueOps::onDevice)
          .legalizer((call, kernels) -> call.arg(0))
          .withoutArgShapes()
          .build();

  private ValueOps() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(
        NULL_VALUE,
        PRINT,
        ASSERT,
        SHAPE_OF,
        TENSOR_TO_SHAPE,
        SHAPE_TO_TENSOR,
        SIZE,
        TO_VDEVICE,
        HINT_ON_DEVICE);
  }

  /** No value. */
  public static Call nullValue() {
    return Call.of(NULL_VALUE);
  }

  /** The shape of a tensor. */
  public static Call shapeOf(Expr x) {
    return Call.of(SHAPE_OF, x);
  }

  /** The product of the extents, which the kernel gets as numbers. */
  private static Expr count(OpCall call, KernelCalls kernels) {
    PrimExpr product = IntImm.of(1);
    for (PrimExpr dim : call.tensor(0).dims().orElseThrow()) {
      product = Exprs.mul(product, dim);
    }
    return kernels.call(
        "size",
        List.of(new PrimValue(product)),
        call.call().type(),
        KernelBody.one((k, in) -> k.compute("T_size", List.of(), i -> in.scalar(0))));
  }

  private static Type assertion(OpCall call) {
    boolean right =
        switch (call.type(0)) {
          case PrimType(DType dtype) -> dtype.equals(DType.BOOL);
          case TensorType tensor ->
              tensor.dtype().map(DType.BOOL::equals).orElse(true) && tensor.ndim() <= 0;
          case AnyType any -> true;
          default -> false;
        };
    if (!right) {
      throw call.wrong(0, "a boolean");
    }
    return TupleType.VOID;
  }

  private static Type shapeOf(OpCall call) {
    TensorType x = call.tensor(0);
    return new ShapeType(x.dims(), x.ndim());
  }

  private static Type tensorToShape(OpCall call) {
    TensorType x = call.tensor(0);
    boolean integers = x.dtype().map(DType::isInteger).orElse(true);
    if (!integers || (x.hasRank() && x.ndim() != 1)) {
      throw call.wrong(0, "a tensor of integers with one axis");
    }
    return x.dims().map(dims -> dims.getFirst()).orElse(null) instanceof IntImm length
        ? ShapeType.ofRank((int) length.value())
        : ShapeType.unknown();
  }

  private static Type shapeToTensor(OpCall call) {
    int ndim = call.shape(0).ndim();
    return ndim == ShapeType.UNKNOWN
        ? TensorType.ofRank(DType.INT64, 1)
        : TensorType.of(DType.INT64, ndim);
  }

  private static Type onDevice(OpCall call) {
    String text = call.attrs().text("dst_vdevice").orElseThrow();
    String[] parts = text.split(":", -1);
    try {
      String scope = parts.length > 2 ? parts[2] : "global";
      int id = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
      return call.tensor(0).withVDevice(Optional.of(new VDevice(parts[0], id, scope)));
    } catch (NumberFormatException e) {
      throw call.error("dst_vdevice must be like cuda:0:global, but is " + text);
    }
  }
}
