package org.relaxvm.builtins;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.engine.CallSite;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.Registers;

/** Direct forms of the allocations, for constant dtypes, offsets, devices and scopes. */
final class DirectMemory {
  private DirectMemory() {}

  static @Nullable DirectCall allocShapeHeap(CallSite site) {
    return site.count() == 2 && site.isRegister(0) && site.isConstantInt(1)
        ? new AllocShapeHeap(site.register(0), site.constantBits(1), site.destination())
        : null;
  }

  static @Nullable DirectCall allocStorage(CallSite site) {
    if (site.count() != 5 || !site.isRegister(0) || !site.isConstantInt(2)) {
      return null;
    }
    ShapeOperand shape = ShapeOperand.of(site, 1);
    long device = site.constantBits(2);
    DType dtype = site.constant(3, DType.class);
    String scope = site.constant(4, String.class);
    return shape == null || device != (int) device || dtype == null || scope == null
        ? null
        : new AllocStorage(site.register(0), shape, (int) device, dtype, scope, site.destination());
  }

  static @Nullable DirectCall allocTensor(CallSite site) {
    boolean isGlobal = site.count() == 5 && "global".equals(site.constant(4, String.class));
    if ((site.count() != 4 && !isGlobal) || !site.isRegister(0) || !site.isConstantInt(1)) {
      return null;
    }
    ShapeOperand shape = ShapeOperand.of(site, 2);
    DType dtype = site.constant(3, DType.class);
    return shape == null || dtype == null
        ? null
        : new AllocTensor(site.register(0), site.constantBits(1), shape, dtype, site.destination());
  }

  /**
   * A shape among the operands.
   *
   * @param register of the shape, where it is no constant
   */
  record ShapeOperand(@Nullable Shape constant, int register) {
    /** Null for a constant that is no shape. */
    static @Nullable ShapeOperand of(CallSite site, int index) {
      if (site.isRegister(index)) {
        return new ShapeOperand(null, site.register(index));
      }
      Shape shape = site.constant(index, Shape.class);
      return shape == null ? null : new ShapeOperand(shape, -1);
    }

    /** Null if the register holds no shape. */
    @Nullable Shape in(@Nullable Object[] refs, int base) {
      return constant != null
          ? constant
          : refs[base + register] instanceof Shape shape ? shape : null;
    }
  }

  record AllocShapeHeap(int vm, long slots, int destination) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      if (!(refs[base + vm] instanceof VmContext context)) {
        return false;
      }
      Tensor heap = ShapeHeap.allocate(context, slots);
      Registers.write(refs, bits, base, destination, heap, 0);
      return true;
    }
  }

  record AllocStorage(
      int vm, ShapeOperand shape, int device, DType dtype, String scope, int destination)
      implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      Shape wanted = shape.in(refs, base);
      if (wanted == null || !(refs[base + vm] instanceof VmContext context)) {
        return false;
      }
      Storage storage = DeviceMemories.allocateStorage(context, dtype, wanted, device, scope);
      Registers.write(refs, bits, base, destination, storage, 0);
      return true;
    }
  }

  record AllocTensor(int storage, long offset, ShapeOperand shape, DType dtype, int destination)
      implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      Shape wanted = shape.in(refs, base);
      if (wanted == null || !(refs[base + storage] instanceof Storage memory)) {
        return false;
      }
      Tensor tensor = Tensor.view(memory, offset, dtype, wanted);
      Registers.write(refs, bits, base, destination, tensor, 0);
      return true;
    }

    @Override
    public @Nullable DirectCall taking(int register) {
      return register == storage && register != destination ? new AllocTensorInLast(this) : null;
    }
  }

  /** The last tensor in a storage, whose owner it becomes. */
  record AllocTensorInLast(AllocTensor site) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      int slot = base + site.storage;
      Shape wanted = site.shape.in(refs, base);
      if (wanted == null || !(refs[slot] instanceof Storage memory)) {
        return false;
      }
      Tensor tensor = Tensor.viewTaking(memory, site.offset, site.dtype, wanted);
      refs[slot] = null;
      Registers.write(refs, bits, base, site.destination, tensor, 0);
      return true;
    }
  }
}
