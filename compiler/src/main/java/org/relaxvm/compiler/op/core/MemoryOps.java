package org.relaxvm.compiler.op.core;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;

/** Allocation, views and the end of values. Source: docs/spec/relax-ir.md, section 6.2. */
public final class MemoryOps {
  /** The scope of ordinary memory. */
  public static final String GLOBAL = "global";

  /** A tensor with memory of its own: {@code (shape, dtype, device index, scope)}. */
  public static final OpDef BUILTIN_ALLOC_TENSOR =
      OpDef.named("builtin.alloc_tensor")
          .args("shape", "dtype", "runtime_device_index", "storage_scope")
          .allocator()
          .rule(
              call ->
                  call.call().typeArgs().size() == 1
                      ? call.call().typeArgs().getFirst()
                      : tensor(call, 0, 1))
          .build();

  /** Memory: {@code (byte size as a shape, device index, scope, dtype)}. */
  public static final OpDef ALLOC_STORAGE =
      OpDef.named("memory.alloc_storage")
          .args("size", "virtual_device_index", "storage_scope", "dtype")
          .allocator()
          .rule(call -> storage(call, 3, 2))
          .build();

  /** A tensor in memory: {@code (storage, byte offset, shape, dtype[, device index])}. */
  public static final OpDef ALLOC_TENSOR =
      OpDef.named("memory.alloc_tensor")
          .args("storage", "offset", "shape", "dtype")
          .optionalArgs("virtual_device_index")
          .allocator()
          .rule(call -> tensor(call, 2, 3))
          .build();

  /** The end of memory's use by its variable. */
  public static final OpDef KILL_STORAGE = kill("memory.kill_storage");

  /** The end of a tensor's use by its variable. */
  public static final OpDef KILL_TENSOR = kill("memory.kill_tensor");

  /** The end of any value's use by its variable. */
  public static final OpDef KILL_OBJECT = kill("vm.kill_object");

  /** Memory as the VM makes it: {@code (byte size as a shape, device index, dtype, scope)}. */
  public static final OpDef VM_ALLOC_STORAGE =
      OpDef.named("vm.alloc_storage")
          .args("size", "runtime_device_index", "dtype", "storage_scope")
          .allocator()
          .rule(call -> storage(call, 2, 3))
          .build();

  /** A tensor as the VM makes it: {@code (storage, byte offset, shape, dtype[, device index])}. */
  public static final OpDef VM_ALLOC_TENSOR =
      OpDef.named("vm.alloc_tensor")
          .args("storage", "offset", "shape", "dtype")
          .optionalArgs("runtime_device_index")
          .allocator()
          .rule(call -> tensor(call, 2, 3))
          .build();

  /** The same memory with another shape and dtype from an offset; parts may be left out as (). */
  public static final OpDef VIEW =
      OpDef.named("memory.view")
          .args("x", "shape", "dtype", "relative_byte_offset")
          .rule(MemoryOps::view)
          .build();

  /** The same tensor, from the start of its memory. */
  public static final OpDef ENSURE_ZERO_OFFSET =
      OpDef.named("memory.ensure_zero_offset").args("x").rule(call -> call.tensor(0)).build();

  private MemoryOps() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(
        BUILTIN_ALLOC_TENSOR,
        ALLOC_STORAGE,
        ALLOC_TENSOR,
        KILL_STORAGE,
        KILL_TENSOR,
        KILL_OBJECT,
        VM_ALLOC_STORAGE,
        VM_ALLOC_TENSOR,
        VIEW,
        ENSURE_ZERO_OFFSET);
  }

  /** Memory of a number of bytes. */
  public static Call allocStorage(PrimExpr byteSize, long device, String scope, DType dtype) {
    return Call.of(
        ALLOC_STORAGE,
        ShapeExpr.of(byteSize),
        PrimValue.of(device),
        new StringImm(scope),
        new DataTypeImm(dtype));
  }

  /** A tensor in memory, from an offset in bytes. */
  public static Call allocTensor(
      Expr storage, long byteOffset, Expr shape, DType dtype, long device) {
    return Call.of(
        ALLOC_TENSOR,
        storage,
        PrimValue.of(byteOffset),
        shape,
        new DataTypeImm(dtype),
        PrimValue.of(device));
  }

  private static OpDef kill(String name) {
    return OpDef.named(name).args("x").impure().rule(call -> TupleType.VOID).build();
  }

  private static Type storage(OpCall call, int dtype, int scope) {
    if (call.shape(0).ndim() > 1) {
      throw call.wrong(0, "a shape with one extent: the number of bytes");
    }
    if (!(call.arg(dtype) instanceof DataTypeImm)) {
      throw call.wrong(dtype, "a dtype");
    }
    if (!(call.arg(scope) instanceof StringImm)) {
      throw call.wrong(scope, "a text");
    }
    return AnyType.ANY;
  }

  private static Type tensor(OpCall call, int shape, int dtype) {
    ShapeType known = call.shape(shape);
    if (!(call.arg(dtype) instanceof DataTypeImm(DType elements))) {
      throw call.wrong(dtype, "a dtype");
    }
    return known
        .dims()
        .<Type>map(dims -> TensorType.of(elements, dims))
        .orElseGet(() -> TensorType.ofRank(elements, known.ndim()));
  }

  private static boolean isOmitted(OpCall call, int index) {
    return call.arg(index) instanceof Tuple(var none) && none.isEmpty();
  }

  private static boolean isInteger(Type type) {
    return type instanceof PrimType(DType dtype) && dtype.isInteger();
  }

  private static Type view(OpCall call) {
    TensorType x = call.tensor(0);
    if (!isOmitted(call, 2) && !(call.arg(2) instanceof DataTypeImm)) {
      throw call.wrong(2, "a dtype or ()");
    }
    if (!isOmitted(call, 3) && !isInteger(call.arg(3).type())) {
      throw call.wrong(3, "a number of bytes or ()");
    }
    TensorType viewed =
        call.arg(2) instanceof DataTypeImm(DType dtype) ? x.withDType(Optional.of(dtype)) : x;
    if (isOmitted(call, 1)) {
      boolean sameSize =
          x.dtype().isPresent()
              && viewed.dtype().isPresent()
              && x.dtype().get().elementByteSize() == viewed.dtype().get().elementByteSize();
      return sameSize || viewed.equals(x) ? viewed : viewed.withRank(x.ndim());
    }
    return call.dims(1)
        .<Type>map(viewed::withDims)
        .orElseGet(() -> viewed.withRank(call.shape(1).ndim()));
  }
}
